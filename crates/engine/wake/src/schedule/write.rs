//! The commits by which the operator's word reaches a schedule.

use types::{AuditDraft, Author, Commit, Domain, Guard, ScheduleId, Write};

use super::view::ScheduleView;
use crate::steps::SCHEDULE;
use crate::{Error, Waker};

impl Waker {
    /// Writes what queues runs, unless everything is stopped.
    pub(super) async fn schedule_queue(
        &self,
        view: &ScheduleView,
        writes: Vec<Write>,
        action: &'static str,
    ) -> Result<(), Error> {
        let commit = self.schedule_commit(&view.id, view.revision, writes, action);
        match self.commit(commit.guarded(self.while_not_stopped())).await {
            Err(error) if error.is_stopped() => Err(Error::KillSwitch),
            other => other.map(drop),
        }
    }

    pub(super) async fn schedule_write(
        &self,
        id: &ScheduleId,
        revision: u64,
        writes: Vec<Write>,
        action: &'static str,
    ) -> Result<ScheduleView, Error> {
        self.commit(self.schedule_commit(id, revision, writes, action)).await?;
        self.schedule_get(id.as_str()).await
    }

    fn schedule_commit(
        &self,
        id: &ScheduleId,
        revision: u64,
        writes: Vec<Write>,
        action: &'static str,
    ) -> Commit {
        let commit = Commit {
            audit: vec![audit(action, id, "")],
            ..Commit::new(Domain::Agent, Author::Operator, self.world.now(), writes)
        };
        commit.named(SCHEDULE).guarded(Guard::Revision { record: id.into(), expected: revision })
    }
}

/// What the audit keeps of it.
pub(super) fn audit(action: &'static str, id: &ScheduleId, detail: &str) -> AuditDraft {
    AuditDraft { action, subject: id.to_string(), detail: detail.to_owned() }
}
