//! Looking at the run log.

use types::{AgentId, Run, limits};

use crate::{Error, Waker};

impl Waker {
    /// An agent's runs, newest first.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn runs(&self, agent: AgentId, limit: usize) -> Result<Vec<Run>, Error> {
        Ok(self.store.runs(agent, limit).await?)
    }

    /// How many runs wait; counts no further than a page.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn queued(&self) -> Result<usize, Error> {
        Ok(self.store.queued_runs(limits::ROWS_PER_READ_MAX).await?.len())
    }
}
