//! How often a run was tried in vain, and by whose fault: a turn that failed has left word of its attempt,
//! a process that went away has not.

use rules::pace;
use types::{At, Domain, RecordId, Run};

use crate::{Error, Waker};

impl Waker {
    /// When a run whose turn has failed is tried again; absent if that was once too often. What could leave no
    /// word is not told from interruptions, and is borne as often as they are.
    pub(crate) async fn next_try(&self, run: &Run) -> Result<Option<At>, Error> {
        let (told, now) = (self.told_attempts(run).await?, self.world.now());
        let (policy, key) = (&self.settings.policy, &run.draft.run_key);
        let this: RecordId = rules::turn::failed_id(key, run.attempt).into();
        if told.contains(&this) {
            return Ok(pace::retry_at(policy, key, count(&told), now));
        }
        let times = interruptions(run, &told);
        Ok((times < policy.interruptions_max).then(|| pace::back_off(key, times, now)))
    }

    /// How often a run was interrupted, with this attempt.
    pub(crate) async fn interruptions(&self, run: &Run) -> Result<u32, Error> {
        Ok(interruptions(run, &self.told_attempts(run).await?))
    }

    /// The words that attempts at a run have left of how they failed.
    async fn told_attempts(&self, run: &Run) -> Result<Vec<RecordId>, Error> {
        let ids = rules::turn::failed_ids(&run.draft.run_key, run.attempt + 1);
        let told = self.store.records_by_id(Domain::Agent, ids).await?;
        Ok(told.into_iter().map(|record| record.id).collect())
    }
}

/// What fell, and has left no word of how.
fn interruptions(run: &Run, told: &[RecordId]) -> u32 {
    (run.failures + 1).saturating_sub(count(told))
}

fn count(told: &[RecordId]) -> u32 {
    u32::try_from(told.len()).unwrap_or(u32::MAX)
}
