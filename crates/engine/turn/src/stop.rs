//! Being stopped in the middle of a call.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use dispatch::Claim;
use store::FencesAround;
use tokio::sync::watch;
use types::{Domain, Fence, ModelRef};

use crate::Turns;
use crate::broken::Broken;

impl Turns {
    /// What comes from a model, unless its agent, or everything, is stopped before it does, or the consent to ask it
    /// is taken back: then nobody waits for it any more, and whoever was to send it sees that. A call may take
    /// minutes and send what it sends more than once, and what it costs from here on would be for nothing, since
    /// nothing that rests on it could be written.
    pub(crate) async fn unless_stopped<T>(
        &self,
        claim: &Claim,
        model: &ModelRef,
        mut fences: watch::Receiver<u64>,
        coming: impl Future<Output = T>,
    ) -> Result<T, Broken> {
        let mut coming = pin!(coming);
        loop {
            let mut moved = pin!(fences.changed());
            let came = poll_fn(|context| match coming.as_mut().poll(context) {
                Poll::Ready(came) => Poll::Ready(Ok(came)),
                Poll::Pending => moved.as_mut().poll(context).map(Err),
            });
            match came.await {
                Ok(came) => return Ok(came),
                // The store is closing: there is nothing more to hear of.
                Err(Err(_)) => return Ok(coming.await),
                // Where that cannot be known, what is under way goes on: the store refuses what it leads to,
                // if it has to.
                Err(Ok(())) if self.is_stopped(claim, model).await.unwrap_or(false) => {
                    return Err(Broken::Stopped);
                }
                Err(Ok(())) => {}
            }
        }
    }

    /// Whoever takes the turn up again hears from the gate what is not agreed to any more.
    async fn is_stopped(&self, claim: &Claim, model: &ModelRef) -> Result<bool, Broken> {
        let fences = self.fences(claim).await?;
        let stopped = fences.everything.closed || is_over(claim, &fences.own);
        Ok(stopped || self.not_agreed_to(model).await?.is_some())
    }

    /// The fences that an agent's turn stands behind.
    pub(crate) async fn fences(&self, claim: &Claim) -> Result<FencesAround, Broken> {
        Ok(self.store.fences_around(Domain::Agent, claim.agent.agent_id.clone()).await?)
    }
}

/// Whether somebody has stopped an agent since this claim on it was made.
pub(crate) fn is_over(claim: &Claim, own: &Fence) -> bool {
    own.closed || own.epoch > claim.epoch
}
