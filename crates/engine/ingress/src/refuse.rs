//! Who takes nothing: agents that are over or stopped, and everybody while all is stopped.

use types::{
    AdmissionContext, AgentId, Body, Conflict, Domain, DormantCause, FenceScope, Guard, Lifecycle,
    RecordId,
};

use crate::{Error, Ingress};

/// An agent that takes something, and the conditions on which it does: they are checked again when
/// it is written, so that nothing gets in behind a stop.
pub(crate) struct Open {
    pub(crate) guards: Vec<Guard>,
    pub(crate) cause: Option<DormantCause>,
}

impl Ingress {
    /// Lets through to an agent that lives and works. What the runtime itself brings (the result of
    /// work that is under way) is let through to a dormant one too: it waits there, held.
    pub(crate) async fn open(
        &self,
        agent: &AgentId,
        context: AdmissionContext,
    ) -> Result<Open, Error> {
        let runtime_owned = context == AdmissionContext::RuntimeOwned;
        let record = self.store.record(Domain::Agent, agent.into()).await?;
        let unknown = || Error::UnknownAgent { id: agent.to_string() };
        let record = record.ok_or_else(unknown)?;
        let Body::Agent(identity) = &record.body else { return Err(unknown()) };
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
        Ok(Open { guards, cause: cause.filter(|_| !runtime_owned) })
    }

    /// The same, and refuses a dormant agent with the way out.
    pub(crate) async fn open_and_awake(
        &self,
        agent: &AgentId,
        context: AdmissionContext,
    ) -> Result<Vec<Guard>, Error> {
        let Open { guards, cause } = self.open(agent, context).await?;
        match cause {
            Some(cause) => Err(Error::Stopped { agent: agent.clone(), cause }),
            None => Ok(guards),
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
