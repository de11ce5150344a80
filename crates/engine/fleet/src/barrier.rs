//! Barriers: until a time, only somebody's word wakes an agent.

use rules::matching::draft;
use rules::run_key::Cause;
use types::{At, Author, Body, Commit, Domain, Guard, RecordDraft, Write};

use crate::steps::LIFE;
use crate::{Error, Fleet};

impl Fleet {
    /// Sets or lifts an agent's barrier. What was stopped by the one before is judged anew.
    ///
    /// # Errors
    /// If there is no such agent.
    pub async fn agent_sleep_until(&self, id: &str, until: Option<At>) -> Result<(), Error> {
        let view = self.agent_get(id).await?;
        let unknown = || Error::UnknownAgent { id: id.to_owned() };
        let state_id = &view.identity.current_state_id;
        let record =
            self.store.record(Domain::Agent, state_id.into()).await?.ok_or_else(unknown)?;
        let Body::AgentState(mut state) = record.body else { return Err(unknown()) };
        state.sleep_until = until;
        let name = format!("{}@{}", record.id, record.revision);
        let tick = Cause::Tick { cause: "barrier_set", cause_id: &name };
        let writes = vec![
            Write::Record(RecordDraft::live(record.id.clone(), state)),
            Write::ReleaseRuns { agent: view.id.clone() },
            Write::QueueRun(draft(&view.id, &tick, Some("barrier_set".to_owned()))),
        ];
        let now = self.world.now();
        let commit = Commit::new(Domain::Agent, Author::Operator, now, writes).named(LIFE);
        let guard = Guard::Revision { record: record.id, expected: record.revision };
        self.commit(commit.guarded(guard)).await
    }
}
