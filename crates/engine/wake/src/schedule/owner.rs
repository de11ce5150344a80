//! Whose schedule it is, and whether they may run.

use types::{AgentId, Body, Domain, Lifecycle};

use crate::{Error, Waker};

impl Waker {
    /// What is asked for now is asked of somebody who may run.
    pub(super) async fn refuse_unless_awake(&self, agent: &AgentId) -> Result<(), Error> {
        match self.life_of(agent).await? {
            Lifecycle::Dormant { .. } => Err(Error::Dormant { agent: agent.clone() }),
            _ => Ok(()),
        }
    }

    /// How an agent lives that is there and not over.
    pub(super) async fn life_of(&self, agent: &AgentId) -> Result<Lifecycle, Error> {
        let record = self.store.record(Domain::Agent, agent.into()).await?;
        match record.map(|record| record.body) {
            Some(Body::Agent(body)) => match body.lifecycle {
                Lifecycle::Destroyed { .. } => Err(Error::Destroyed { agent: agent.clone() }),
                living => Ok(living),
            },
            _ => Err(Error::UnknownAgent { id: agent.to_string() }),
        }
    }
}
