//! Who there is.

use store::Listing;
use types::{
    AgentId, AgentIdentity, At, Body, BodyType, Domain, Record, Run, RunState, Subscription,
    SubscriptionId, limits,
};

use crate::{Error, Fleet};

/// An agent as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentView {
    /// Its id.
    pub id: AgentId,
    /// Who it is.
    pub identity: AgentIdentity,
    /// When it was made.
    pub created_at: At,
}

/// How an agent stands: how it can be woken, and what it still has to do.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentStatus {
    /// The agent.
    pub view: AgentView,
    /// What it listens for.
    pub subscriptions: Vec<(SubscriptionId, Subscription)>,
    /// Its runs that have not ended, newest first.
    pub open_runs: Vec<Run>,
}

impl Fleet {
    /// How an agent stands.
    ///
    /// # Errors
    /// If there is none.
    pub async fn agent_status(&self, id: &str) -> Result<AgentStatus, Error> {
        let view = self.agent_get(id).await?;
        let limit = limits::ROWS_PER_READ_MAX;
        let listing = Listing::of(view.id.as_str(), BodyType::AgentSubscription, limit);
        let records = self.store.records(Domain::Agent, listing).await?;
        let subscriptions = records
            .into_iter()
            .filter_map(|record| match record.body {
                Body::AgentSubscription(body) => Some((record.id.as_str().parse().ok()?, body)),
                _ => None,
            })
            .collect();
        let runs = self.store.runs(view.id.clone(), limit).await?;
        let open_runs =
            runs.into_iter().filter(|run| !matches!(run.state, RunState::Ended { .. })).collect();
        Ok(AgentStatus { view, subscriptions, open_runs })
    }

    /// An agent by its id, destroyed ones included.
    ///
    /// # Errors
    /// If there is none.
    pub async fn agent_get(&self, id: &str) -> Result<AgentView, Error> {
        let unknown = || Error::UnknownAgent { id: id.to_owned() };
        let agent: AgentId = id.parse().map_err(|_| unknown())?;
        let record = self.store.record(Domain::Agent, agent.into()).await?;
        record.and_then(view).ok_or_else(unknown)
    }

    /// Every agent that ever was, newest first.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn agent_list(&self) -> Result<Vec<AgentView>, Error> {
        let listing = Listing {
            with_deleted: true,
            ..Listing::of("agents", BodyType::Agent, limits::ROWS_PER_READ_MAX)
        };
        let records = self.store.records(Domain::Agent, listing).await?;
        Ok(records.into_iter().filter_map(view).collect())
    }
}

fn view(record: Record) -> Option<AgentView> {
    let Body::Agent(identity) = record.body else { return None };
    Some(AgentView { id: identity.agent_id.clone(), identity, created_at: record.created_at })
}
