//! Ending waits: when their time has run out, and when what they wait for can no longer happen.

use dispatch::guarded;
use rules::obligation::{self, Liveness};
use types::{Author, Commit, Domain, Guard, Record, WaitFor, WaitState, limits};

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
        let (now, mut first) = (self.world.now(), Ok(()));
        for record in self.store.due_waits(now, limits::ROWS_PER_READ_MAX).await? {
            first = first.and(guarded(self.end_wait(record, WaitState::Expired)).await);
        }
        first
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
        let guard = Guard::unchanged(&record);
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
        let Some(id) = source.record() else { return Ok((WaitState::Open, None)) };
        let record = match id.parse() {
            Ok(id) => self.store.record(Domain::Agent, id).await?,
            Err(_) => None,
        };
        let state = match obligation::liveness(record.as_ref()) {
            Liveness::Live => WaitState::Open,
            Liveness::Dead { why } => WaitState::Broken { why },
        };
        Ok((state, record.as_ref().map(Guard::unchanged)))
    }
}
