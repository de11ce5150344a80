//! Triggers: the one way per agent to be woken from outside.

use rules::hash;
use types::{
    AdmissionContext, AgentId, AuditDraft, Author, Body, Commit, Conflict, Domain, ExternalTrigger,
    Guard, RecordDraft, TriggerId, TriggerStatus, WaitFor, WaitState, Write, limits,
};

use crate::steps::TRIGGER;
use crate::{Error, Ingress};

impl Ingress {
    /// The trigger of an agent: the one it has, or a new one. Asking again never makes a second.
    ///
    /// # Errors
    /// If the agent is not there or is over.
    pub async fn trigger_ensure(&self, agent: &AgentId) -> Result<TriggerId, Error> {
        let guards = self.open(agent, AdmissionContext::RuntimeOwned, None).await?.guards;
        for number in 0_u64.. {
            let id = trigger_id(agent, number);
            let record = self.store.record(Domain::Agent, (&id).into()).await?;
            match record.map(|record| record.body) {
                Some(Body::AgentTrigger(found)) if found.status == TriggerStatus::Active => {
                    return Ok(id);
                }
                // That one was revoked; the next number is its successor.
                Some(_) => {}
                None => {
                    let status = TriggerStatus::Active;
                    let trigger = ExternalTrigger { agent_id: agent.clone(), status };
                    let write = Write::Record(RecordDraft::live(&id, trigger));
                    let new = Guard::Revision { record: (&id).into(), expected: 0 };
                    let guards = [guards.clone(), vec![new]].concat();
                    let own: types::RecordId = (&id).into();
                    return match self
                        .write_trigger(&id, vec![write], guards, "trigger.create")
                        .await
                    {
                        // Somebody else was faster: then it is there.
                        Err(Error::Conflict(Conflict::Revision { record, .. }))
                            if record == own =>
                        {
                            Ok(id)
                        }
                        other => other.map(|()| id),
                    };
                }
            }
        }
        unreachable!("numbers do not end")
    }

    /// Takes a trigger back for good, and wakes who waits for it. It stays for the audit.
    ///
    /// # Errors
    /// If it is not active.
    pub async fn trigger_revoke(&self, id: &TriggerId) -> Result<(), Error> {
        let (agent, guard) = self.trigger_target(id).await?;
        let trigger = ExternalTrigger { agent_id: agent, status: TriggerStatus::Revoked };
        let mut writes = vec![Write::Record(RecordDraft::live(id, trigger))];
        let source = WaitFor::External { trigger: id.to_string() }.source();
        let waits = self.store.waits_on(source, limits::ROWS_PER_READ_MAX).await?;
        let why = WaitState::Broken { why: "the trigger was revoked".to_owned() };
        writes.extend(rules::wait::all_end(waits, &why));
        self.write_trigger(id, writes, vec![guard], "trigger.revoke").await
    }

    /// Whom an active trigger wakes, and the condition that it still does.
    pub(crate) async fn trigger_target(&self, id: &TriggerId) -> Result<(AgentId, Guard), Error> {
        let unknown = || Error::UnknownTrigger { id: id.to_string() };
        let record = self.store.record(Domain::Agent, id.into()).await?.ok_or_else(unknown)?;
        let guard = Guard::unchanged(&record);
        match record.body {
            Body::AgentTrigger(trigger) if trigger.status == TriggerStatus::Active => {
                Ok((trigger.agent_id, guard))
            }
            _ => Err(unknown()),
        }
    }

    async fn write_trigger(
        &self,
        id: &TriggerId,
        writes: Vec<Write>,
        guards: Vec<Guard>,
        action: &'static str,
    ) -> Result<(), Error> {
        let audit = AuditDraft { action, subject: id.to_string(), detail: String::new() };
        let now = self.world.now();
        let commit = Commit {
            guards,
            audit: vec![audit],
            ..Commit::new(Domain::Agent, Author::Operator, now, writes).named(TRIGGER)
        };
        Ok(self.store.commit(commit).await?.done()?)
    }
}

fn trigger_id(agent: &AgentId, number: u64) -> TriggerId {
    TriggerId::from_digest(&hash::fields(["trigger", agent.as_str(), &number.to_string()]))
}
