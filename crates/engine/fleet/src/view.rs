//! Who there is.

use rules::naming::{Naming, naming};
use store::{Ending, Listing};
use types::{AgentId, AgentIdentity, At, Body, BodyType, Domain, Lifecycle, Record, limits};

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
    /// How often it was written.
    pub revision: u64,
    /// It was asked for once more under the request that had made it.
    pub again: bool,
}

impl Fleet {
    /// An agent by its id or the last characters of it, destroyed ones included.
    ///
    /// # Errors
    /// If there is none, or more than one is meant.
    pub async fn agent_get(&self, id: &str) -> Result<AgentView, Error> {
        let unknown = || Error::UnknownAgent { id: id.to_owned() };
        let agent = match naming("agent", id).ok_or_else(unknown)? {
            Naming::Whole(agent) => agent,
            Naming::Ending(ending) => {
                match Ending::find(&*self.store, Domain::Agent, "agent", ending.clone()).await? {
                    Ending::Of(agent) => agent,
                    Ending::Nobodys => return Err(unknown()),
                    Ending::OfSeveral => return Err(Error::AmbiguousAgent { ending }),
                }
            }
        };
        let record = self.store.record(Domain::Agent, agent).await?;
        record.and_then(view).ok_or_else(unknown)
    }

    /// All agents that live, the newest first; behind them those that were destroyed, as many as one read
    /// would have given in all.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn agent_list(&self) -> Result<Vec<AgentView>, Error> {
        let (mut living, mut destroyed) = (Vec::new(), Vec::new());
        let agents = Listing::of("agents", BodyType::Agent, limits::ROWS_PER_READ_MAX);
        let mut listing = Some(Listing { with_deleted: true, ..agents });
        // In one order, and not stage by stage: who goes from one to another meanwhile would be missed.
        while let Some(page) = listing {
            let records = self.store.records(Domain::Agent, page.clone()).await?;
            listing = page.next(&records);
            for agent in records.into_iter().filter_map(view) {
                if !matches!(agent.identity.lifecycle, Lifecycle::Destroyed { .. }) {
                    living.push(agent);
                } else if destroyed.len() < limits::ROWS_PER_READ_MAX {
                    destroyed.push(agent);
                }
            }
        }
        destroyed.truncate(limits::ROWS_PER_READ_MAX.saturating_sub(living.len()));
        living.append(&mut destroyed);
        Ok(living)
    }
}

fn view(record: Record) -> Option<AgentView> {
    let Body::Agent(identity) = record.body else { return None };
    let (created_at, revision) = (record.created_at, record.revision);
    Some(AgentView { id: identity.agent_id.clone(), identity, created_at, revision, again: false })
}
