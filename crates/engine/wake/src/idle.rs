//! Waiting until a dispatcher has come to rest: what a drain is where somebody else does the work.

use dispatch::Work;
use types::Problem;

use crate::{Error, Waker};

impl Waker {
    /// Matches what there is, young or old, and waits until nothing is left that could begin now; says
    /// how many runs ended meanwhile. A run that is told to wait, for its cooldown say, is not waited
    /// for. Only where a dispatcher runs: otherwise nobody would do the work.
    ///
    /// # Errors
    /// If the store cannot. What was not run stays queued.
    pub async fn wait_until_idle(&self) -> Result<u64, Problem> {
        let before = self.metrics().runs_ended();
        self.settle().await?;
        loop {
            // Before it is looked whether anybody is busy, so that nothing falls between the two.
            let stirred = self.stirred();
            if !self.anybody_busy().await? {
                return Ok(self.metrics().runs_ended() - before);
            }
            stirred.await;
        }
    }

    /// Whether a run could begin now, or has begun. While everything is stopped, nobody is.
    async fn anybody_busy(&self) -> Result<bool, Error> {
        let outlook = self.store.outlook(self.world.now(), 1).await?;
        let anybody = !outlook.ready.is_empty() || !outlook.begun.is_empty();
        Ok(anybody && !outlook.stopped)
    }
}
