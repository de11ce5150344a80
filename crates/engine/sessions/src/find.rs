//! Finding sessions.

use store::Listing;
use types::{
    AgentId, AgentIdentity, Body, BodyType, ConversationId, Domain, Lifecycle, Record, Session,
    SessionId, limits,
};

use crate::{Error, Sessions};

/// A session as it was read.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) id: SessionId,
    pub(crate) record: Record,
    pub(crate) session: Session,
}

impl Found {
    pub(crate) fn of(record: Record) -> Option<Found> {
        let id = record.id.as_str().parse().ok()?;
        let Body::AgentSession(session) = &record.body else { return None };
        let session = session.clone();
        Some(Found { id, record, session })
    }
}

impl Sessions {
    /// A session with an agent, by its name or its id.
    pub(crate) async fn find(&self, agent: &AgentId, session: &str) -> Result<Found, Error> {
        let named = rules::session::id(agent, session);
        let mut ids = vec![named.into()];
        ids.extend(session.parse::<SessionId>().map(Into::into));
        let records = self.store.records_by_id(Domain::Agent, ids).await?;
        let mut found = records.into_iter().filter_map(Found::of);
        let own = found.find(|found| found.session.agent_id == *agent);
        own.ok_or_else(|| Error::Unknown { what: "session", name: session.to_owned() })
    }

    /// The name of the session that somebody means to speak in: that of the one whose id it is, or a name, which
    /// may be new.
    ///
    /// # Errors
    /// If it is an id and no session of the agent has it, or the store cannot read.
    pub async fn name_meant(&self, agent: &AgentId, session: String) -> Result<String, Error> {
        match rules::session::is_id(&session) {
            true => Ok(self.find(agent, &session).await?.session.name),
            false => Ok(session),
        }
    }

    /// The newest sessions with an agent, oldest of them first. They are found by their ids, which say nothing
    /// of their age, so all are read to know which those are.
    pub(crate) async fn with(&self, agent: &AgentId) -> Result<Vec<Found>, Error> {
        let mark = rules::mark::with(agent);
        let sessions = (BodyType::AgentSession, mark.as_str());
        let all = store::bearing(&*self.store, Domain::Agent, sessions, usize::MAX).await?;
        let mut found: Vec<Found> = all.into_iter().filter_map(Found::of).collect();
        found.sort_by(|a, b| (a.session.began_at, &a.id).cmp(&(b.session.began_at, &b.id)));
        Ok(found.split_off(found.len().saturating_sub(limits::SESSIONS_MAX)))
    }

    /// The sessions of a conversation, in their order.
    pub(crate) async fn of(
        &self,
        conversation: &ConversationId,
    ) -> Result<Vec<(SessionId, Session)>, Error> {
        let listing =
            Listing::of(conversation.as_str(), BodyType::AgentSession, limits::SESSIONS_MAX);
        let records = self.store.records(Domain::Agent, listing).await?;
        let found = records.into_iter().filter_map(Found::of);
        let sessions = found.map(|found| (found.id, found.session)).collect();
        Ok(rules::session::in_order(sessions))
    }

    /// An agent with whom something can begin.
    pub(crate) async fn living(&self, agent: &AgentId) -> Result<AgentIdentity, Error> {
        let identity = self.agent(agent).await?;
        match identity.lifecycle {
            Lifecycle::Destroyed { .. } => Err(Error::Destroyed { agent: agent.clone() }),
            _ => Ok(identity),
        }
    }

    pub(crate) async fn agent(&self, agent: &AgentId) -> Result<AgentIdentity, Error> {
        let record = self.store.record(Domain::Agent, agent.into()).await?;
        match record.map(|record| record.body) {
            Some(Body::Agent(identity)) => Ok(identity),
            _ => Err(Error::UnknownAgent { id: agent.to_string() }),
        }
    }
}
