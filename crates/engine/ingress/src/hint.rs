//! Hints: signals from outside that say "look" and carry no message.

use rules::matching::draft;
use rules::run_key::Cause;
use serde_json::json;
use types::{
    AdmissionContext, AgentId, Author, Commit, Domain, DormantCause, Hint, Invalid, Label,
    OperationDraft, Source, TriggerId, Trust, Write, limits,
};

use crate::refuse::{Open, named};
use crate::steps::HINT;
use crate::{Error, Ingress};

/// A hint at the door.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HintDelivery {
    /// Through which trigger.
    pub trigger: TriggerId,
    /// Names this delivery: the same again is the same tick.
    pub delivery: String,
    /// Who sends it, as it says.
    pub source: Option<String>,
    /// The kind of its payload, as it says.
    pub content_type: Option<String>,
    /// Its payload; evidence to look at, never a message.
    pub payload: Option<Vec<u8>>,
    /// What belongs together across a workflow.
    pub correlation_id: Option<String>,
    /// What caused it.
    pub causation_id: Option<String>,
}

impl Ingress {
    /// Takes a hint: it is kept until its agent has looked, and a tick is queued in the same commit.
    /// If the agent runs at this moment, the tick waits for the end of that turn; a burst is one
    /// tick. A paused agent keeps it until it is resumed; a stopped one refuses it.
    ///
    /// # Errors
    /// If the trigger is not active, or its agent cannot take it.
    pub async fn hint(&self, delivery: HintDelivery) -> Result<AgentId, Error> {
        Invalid::unless_request(&delivery.delivery)?;
        let size = delivery.payload.as_ref().map_or(0, Vec::len);
        let max = limits::ENVELOPE_BYTES_MAX;
        if size > max {
            return Err(Error::TooLarge { bytes: size, max });
        }
        let (agent, trigger_guard) = self.trigger_target(&delivery.trigger).await?;
        let context = AdmissionContext::ExternalTriggerCapability;
        let Open { mut guards, cause, .. } = self.open(&agent, context, None).await?;
        if let Some(cause) = cause.filter(|cause| *cause != DormantCause::Paused) {
            return Err(Error::Stopped { agent, cause });
        }
        guards.push(trigger_guard);
        // The same delivery again is no second hint: it would wait without a tick of its own.
        let name = format!("{}:{}", delivery.trigger, delivery.delivery);
        let operation = OperationDraft {
            id: rules::operation::id_of_request("hint", &name),
            verb: "hint",
            subject: (&agent).into(),
            run_key: None,
            result: json!({ "agent": agent }),
        };
        let writes = self.plan_hint(&agent, delivery, &name);
        let now = self.world.now();
        let commit = Commit {
            guards,
            operation: Some(operation),
            ..Commit::new(Domain::Agent, Author::Runtime, now, writes).named(HINT)
        };
        self.store.commit(commit).await?.done().map_err(named)?;
        Ok(agent)
    }

    fn plan_hint(&self, agent: &AgentId, delivery: HintDelivery, name: &str) -> Vec<Write> {
        let mut writes = Vec::new();
        let payload = delivery.payload.map(|bytes| {
            let label = Label::new(Trust::Untrusted, Source::External);
            let (kept, at) = rules::content::keep(agent.into(), label, bytes);
            writes.push(kept);
            at
        });
        let cause = Cause::Tick { cause: "hint", cause_id: name };
        writes.push(Write::Hint(Hint {
            agent: agent.clone(),
            trigger: delivery.trigger.clone(),
            at: self.world.now(),
            count: 1,
            source: delivery.source,
            content_type: delivery.content_type,
            payload,
            correlation_id: delivery.correlation_id,
            causation_id: delivery.causation_id,
        }));
        writes.push(Write::QueueRun(draft(agent, &cause, Some(delivery.trigger.to_string()))));
        writes
    }
}
