//! Ending waits: when their time has run out, and when what they wait for can no longer happen.

use types::{
    Author, Body, Commit, Domain, Guard, Record, ScheduleStatus, TriggerStatus, WaitFor, WaitState,
    limits,
};

use crate::steps::WAIT;
use crate::{Error, Waker};

/// Something that was waited for and is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceGone {
    /// What.
    pub source: WaitFor,
    /// Whether it came, and if not, why it cannot any more.
    pub state: WaitState,
}

impl Waker {
    /// Ends every wait whose deadline has passed and wakes who waited.
    pub(crate) async fn expire_waits(&self) -> Result<(), Error> {
        let now = self.world.now();
        for record in self.store.due_waits(now, limits::ROWS_PER_READ_MAX).await? {
            self.end_wait(record, WaitState::Expired).await?;
        }
        Ok(())
    }

    /// Ends the waits on something that is over and wakes who waited. They are found by what they
    /// wait for; nobody's waits are searched.
    ///
    /// # Errors
    /// If the store cannot. What was not ended is ended by its deadline.
    pub async fn source_gone(&self, gone: SourceGone) -> Result<(), Error> {
        let source = gone.source.source();
        for record in self.store.waits_on(source, limits::ROWS_PER_READ_MAX).await? {
            self.end_wait(record, gone.state.clone()).await?;
        }
        Ok(())
    }

    async fn end_wait(&self, record: Record, state: WaitState) -> Result<(), Error> {
        let guard = Guard::Revision { record: record.id.clone(), expected: record.revision };
        let Some(writes) = rules::wait::ends(record, state) else { return Ok(()) };
        let now = self.world.now();
        let commit = Commit::new(Domain::Agent, Author::Runtime, now, writes).named(WAIT);
        match self.commit(commit.guarded(guard).guarded(self.while_not_stopped())).await {
            // Somebody else has ended it: that is as good.
            Err(Error::Conflict(types::Conflict::Revision { .. })) => Ok(()),
            other => other.map(|_| ()),
        }
    }

    /// How the source of a new wait stands, and the condition that it still stands so.
    pub(crate) async fn source_state(
        &self,
        source: &WaitFor,
    ) -> Result<(WaitState, Option<Guard>), Error> {
        let id = match source {
            WaitFor::Timer { schedule } => schedule,
            WaitFor::External { trigger } => trigger,
            // Jobs and approvals say themselves when they are over; the operator is always there.
            WaitFor::Job { .. } | WaitFor::Operator | WaitFor::Approval { .. } => {
                return Ok((WaitState::Open, None));
            }
        };
        let broken = |why: &str| WaitState::Broken { why: why.to_owned() };
        let Ok(id) = id.parse::<types::RecordId>() else {
            return Ok((broken("no such thing"), None));
        };
        let Some(record) = self.store.record(Domain::Agent, id).await? else {
            return Ok((broken("no such thing"), None));
        };
        let live = match &record.body {
            Body::AgentSchedule(schedule) => schedule.status == ScheduleStatus::Active,
            Body::AgentTrigger(trigger) => trigger.status == TriggerStatus::Active,
            _ => false,
        };
        let live = live && record.deleted_at.is_none();
        let guard = Guard::Revision { record: record.id, expected: record.revision };
        Ok((if live { WaitState::Open } else { broken("it is over") }, Some(guard)))
    }
}
