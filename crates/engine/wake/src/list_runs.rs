//! Looking at the run log.

use types::{AgentId, Run};

use crate::{Error, Waker};

impl Waker {
    /// An agent's runs, newest first.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn runs(&self, agent: AgentId, limit: usize) -> Result<Vec<Run>, Error> {
        Ok(self.store.runs(agent, limit).await?)
    }
}
