//! What stands at the door. There is no field for trust or authority: those are derived.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use types::{
    AgentId, At, DeliverySurface, EnvelopeBody, EnvelopeKind, EnvelopeOrigin, ModelRef, Priority,
};

/// Something that wants to be admitted, described by the code that received it.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    /// To whom.
    pub agent: AgentId,
    /// Through which door.
    pub surface: DeliverySurface,
    /// What it is.
    pub kind: EnvelopeKind,
    /// From whom.
    pub origin: EnvelopeOrigin,
    /// What it says.
    pub body: EnvelopeBody,
    /// What the transport added.
    pub metadata: Map<String, Value>,
    /// When it should have its turn.
    pub priority: Priority,
    /// Names this delivery: the same again is the same envelope and the same run.
    pub delivery: String,
    /// The conversation it belongs to, for a prompt.
    pub session: Option<String>,
    /// Not to be handed over before this time.
    pub deliver_at: Option<At>,
    /// The work item that the runtime binds it to; from anybody else it is not taken.
    pub work_item_id: Option<String>,
    /// The background work that the runtime binds it to; from anybody else it is not taken.
    pub task_id: Option<String>,
    /// Stable names of where it came from.
    pub source_refs: BTreeMap<String, String>,
    /// What belongs together across a workflow.
    pub correlation_id: Option<String>,
    /// What caused it.
    pub causation_id: Option<String>,
    /// The model that is to be asked about it, if the operator wants another than the agent has; from anybody else
    /// it is not taken.
    pub model: Option<ModelRef>,
}

impl Delivery {
    /// A delivery with nothing but what it must have.
    #[must_use]
    pub fn new(
        agent: AgentId,
        surface: DeliverySurface,
        kind: EnvelopeKind,
        origin: EnvelopeOrigin,
        body: EnvelopeBody,
        delivery: impl Into<String>,
    ) -> Delivery {
        Delivery {
            agent,
            surface,
            kind,
            origin,
            body,
            metadata: Map::new(),
            priority: Priority::Normal,
            delivery: delivery.into(),
            session: None,
            deliver_at: None,
            work_item_id: None,
            task_id: None,
            source_refs: BTreeMap::new(),
            correlation_id: None,
            causation_id: None,
            model: None,
        }
    }

    /// Whether the operator sent it: a conversation is the operator's, and so is the choice of a model.
    pub(crate) fn is_the_operators(&self) -> bool {
        matches!(self.origin, EnvelopeOrigin::Operator { .. })
    }

    /// What the operator says, on the command line unless another door is named.
    #[must_use]
    pub fn prompt(agent: AgentId, text: impl Into<String>, request: impl Into<String>) -> Delivery {
        Delivery::new(
            agent,
            DeliverySurface::CliPrompt,
            EnvelopeKind::OperatorPrompt,
            EnvelopeOrigin::Operator { actor_id: None },
            EnvelopeBody::Text { text: text.into() },
            request,
        )
    }

    /// What background work came to.
    #[must_use]
    pub fn job_result(agent: AgentId, job: &str, result_seq: u64, body: EnvelopeBody) -> Delivery {
        let origin = EnvelopeOrigin::Task { task_id: job.to_owned() };
        Delivery {
            task_id: Some(job.to_owned()),
            ..Delivery::new(
                agent,
                DeliverySurface::TaskRejoin,
                EnvelopeKind::TaskResult,
                origin,
                body,
                result_seq.to_string(),
            )
        }
    }
}
