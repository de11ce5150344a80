//! Who takes nothing: agents that are over or stopped, and everybody while all is stopped.

use types::{
    AdmissionContext, AgentId, AgentIdentity, Body, Conflict, Domain, DormantCause, FenceScope,
    Guard, Lifecycle, Record, RecordId, SessionId,
};

use crate::{Error, Ingress};

/// An agent that takes something, and the conditions on which it does: they are checked again when
/// it is written, so that nothing gets in behind a stop.
pub(crate) struct Open {
    pub(crate) guards: Vec<Guard>,
    pub(crate) cause: Option<DormantCause>,
    pub(crate) identity: AgentIdentity,
    /// The session that was asked about, if it exists.
    pub(crate) session: Option<Record>,
}

impl Ingress {
    /// Lets through to an agent that lives and works. What the runtime itself brings (the result of
    /// work that is under way) is let through to a dormant one too: it waits there, held.
    pub(crate) async fn open(
        &self,
        agent: &AgentId,
        context: AdmissionContext,
        session: Option<&SessionId>,
    ) -> Result<Open, Error> {
        let runtime_owned = context == AdmissionContext::RuntimeOwned;
        // Agent and session in one read.
        let ids = std::iter::once(RecordId::from(agent)).chain(session.map(RecordId::from));
        let found = self.store.records_by_id(Domain::Agent, ids.collect()).await?;
        let unknown = || Error::UnknownAgent { id: agent.to_string() };
        let is_own = |record: &Record| record.id.as_str() == agent.as_str();
        let (mut own, mut others): (Vec<_>, Vec<_>) = found.into_iter().partition(is_own);
        let record = own.pop().ok_or_else(unknown)?;
        let Body::Agent(identity) = record.body else { return Err(unknown()) };
        let cause = match identity.lifecycle {
            Lifecycle::Destroyed { .. } => {
                return Err(Error::Destroyed { agent: agent.clone() });
            }
            Lifecycle::Dormant { cause } => Some(cause),
            Lifecycle::Created | Lifecycle::Active => None,
        };
        let record_id: RecordId = agent.into();
        let mut guards = vec![Guard::Revision { record: record_id, expected: record.revision }];
        if !runtime_owned {
            // The kill switch is asked where it counts, when this is written.
            let epoch = self.store.epoch();
            guards.push(Guard::Fence { scope: FenceScope::Global, epoch });
        }
        let cause = cause.filter(|_| !runtime_owned);
        Ok(Open { guards, cause, identity, session: others.pop() })
    }

    /// The same, and refuses a dormant agent with the way out.
    pub(crate) async fn open_and_awake(
        &self,
        agent: &AgentId,
        context: AdmissionContext,
    ) -> Result<Vec<Guard>, Error> {
        Ok(self.open(agent, context, None).await?.awake()?.guards)
    }
}

impl Open {
    /// The same, unless the agent is dormant.
    pub(crate) fn awake(self) -> Result<Open, Error> {
        match self.cause {
            Some(cause) => Err(Error::Stopped { agent: self.identity.agent_id, cause }),
            None => Ok(self),
        }
    }
}

/// A stop that came between the look and the commit.
pub(crate) fn named(conflict: Conflict) -> Error {
    match conflict {
        Conflict::Fenced { scope: FenceScope::Global, closed: true, .. } => Error::KillSwitch,
        other => Error::Conflict(other),
    }
}
