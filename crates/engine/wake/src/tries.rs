//! How often a run was tried in vain, and by whose fault: a turn that failed has left word of its attempt,
//! a process that went away has not.

use types::{Domain, RecordId, Run, limits};

use crate::{Error, Waker};

impl Waker {
    /// How often the turn of a run has failed, with this attempt. What could leave no word is not told from
    /// interruptions and counts with them, so that it ends.
    pub(crate) async fn failed_turns(&self, run: &Run) -> Result<u32, Error> {
        let told = self.told_attempts(run).await?;
        let this: RecordId = rules::turn::failed_id(&run.draft.run_key, run.attempt).into();
        Ok(if told.contains(&this) { count(&told) } else { run.failures + 1 })
    }

    /// How often a run was interrupted, with this attempt.
    pub(crate) async fn interruptions(&self, run: &Run) -> Result<u32, Error> {
        Ok((run.failures + 1).saturating_sub(count(&self.told_attempts(run).await?)))
    }

    /// The words that attempts at a run have left of how they failed.
    async fn told_attempts(&self, run: &Run) -> Result<Vec<RecordId>, Error> {
        let ids = (0..=run.attempt).rev().take(limits::ROWS_PER_READ_MAX);
        let ids = ids.map(|attempt| rules::turn::failed_id(&run.draft.run_key, attempt).into());
        let told = self.store.records_by_id(Domain::Agent, ids.collect()).await?;
        Ok(told.into_iter().map(|record| record.id).collect())
    }
}

fn count(told: &[RecordId]) -> u32 {
    u32::try_from(told.len()).unwrap_or(u32::MAX)
}
