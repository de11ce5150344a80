//! Envelopes: one admitted input of an agent, with where it came from and what it may claim.
//!
//! What an envelope is (kind, origin, surface) is stated by the code that admitted it. What it may
//! claim (trust, authority, admission, label) is derived by `rules::admission` and by nobody else:
//! no type here that a caller fills in has a field for it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{AgentId, At, ContentRef, Invalid, RunKey, limits};

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $text)] $variant,)*
        }

        impl $name {
            /// Every one.
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// The word as it is stored and shown.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

named! {
    /// What an envelope is.
    EnvelopeKind {
        /// The operator speaks.
        OperatorPrompt = "operator_prompt",
        /// Somebody speaks on a channel; never the operator.
        ChannelEvent = "channel_event",
        /// A machine reports, in a structure.
        WebhookEvent = "webhook_event",
        /// A delivery through an external trigger.
        CallbackEvent = "callback_event",
        /// A schedule came round.
        TimerTick = "timer_tick",
        /// The runtime chose to look again.
        SystemTick = "system_tick",
        /// Background work came to an end.
        TaskResult = "task_result",
        /// Background work reports.
        TaskStatus = "task_status",
        /// A command to the runtime: pause, resume, shut down.
        Control = "control",
        /// What was received, for the operator.
        BriefAck = "brief_ack",
        /// What was done, for the operator.
        BriefResult = "brief_result",
        /// The runtime asks the agent to go on.
        InternalFollowup = "internal_followup",
    }
}

named! {
    /// How far an envelope's sender is trusted. Kept apart from its origin.
    EnvelopeTrust {
        /// The person whose home this is.
        TrustedOperator = "trusted_operator",
        /// Dormouse itself.
        TrustedSystem = "trusted_system",
        /// A configured integration.
        TrustedIntegration = "trusted_integration",
        /// Anybody.
        UntrustedExternal = "untrusted_external",
    }
}

named! {
    /// What an envelope may claim: the one label that prompts, audit and policy go by.
    AuthorityClass {
        /// May set scope and constraints.
        OperatorInstruction = "operator_instruction",
        /// The runtime's own continuation.
        RuntimeInstruction = "runtime_instruction",
        /// A structured signal through a configured path.
        IntegrationSignal = "integration_signal",
        /// Something to look at, never to obey.
        ExternalEvidence = "external_evidence",
    }
}

named! {
    /// When an envelope should have its turn. A hint to the scheduler, never a sign of trust.
    Priority {
        /// At the next safe point, if the operator sent it; otherwise before all others.
        Interject = "interject",
        /// After the current step.
        Next = "next",
        /// In its turn.
        Normal = "normal",
        /// When there is time.
        Background = "background",
    }
}

named! {
    /// The door an envelope came through.
    DeliverySurface {
        /// `dormouse prompt`, or another program of this machine's user on the local socket.
        CliPrompt = "cli_prompt",
        /// `dormouse run`.
        RunOnce = "run_once",
        /// The public route.
        HttpPublicEnqueue = "http_public_enqueue",
        /// A webhook route.
        HttpWebhook = "http_webhook",
        /// A trigger's route that carries a message.
        HttpCallbackEnqueue = "http_callback_enqueue",
        /// A trigger's route that only wakes.
        HttpCallbackWake = "http_callback_wake",
        /// The operator's route, with the token.
        HttpControlPrompt = "http_control_prompt",
        /// The scheduler.
        TimerScheduler = "timer_scheduler",
        /// The runtime itself.
        RuntimeSystem = "runtime_system",
        /// Background work that comes back.
        TaskRejoin = "task_rejoin",
    }
}

named! {
    /// What the door checked before it let an envelope in.
    AdmissionContext {
        /// Nothing.
        PublicUnauthenticated = "public_unauthenticated",
        /// The operator's token.
        ControlAuthenticated = "control_authenticated",
        /// A trigger's secret.
        ExternalTriggerCapability = "external_trigger_capability",
        /// That it comes from this machine's user.
        LocalProcess = "local_process",
        /// That it is the runtime's own.
        RuntimeOwned = "runtime_owned",
    }
}

named! {
    /// What an envelope is to a turn that was resting: derived from its kind.
    TriggerKind {
        /// The operator speaks.
        OperatorInput = "operator_input",
        /// Work came back.
        TaskResult = "task_result",
        /// Something outside happened.
        ExternalEvent = "external_event",
        /// A schedule came round.
        TimerFire = "timer_fire",
        /// The runtime asks to go on.
        InternalFollowup = "internal_followup",
        /// The runtime looks again.
        SystemTick = "system_tick",
    }
}

/// Who or what an envelope came from. Only `Operator` is the person whose home this is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case", deny_unknown_fields)]
pub enum EnvelopeOrigin {
    /// The operator.
    Operator {
        /// Which, where there are several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        actor_id: Option<String>,
    },
    /// Somebody on a channel.
    Channel {
        /// Which channel.
        channel_id: String,
        /// Who, as the channel says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sender_id: Option<String>,
    },
    /// A webhook.
    Webhook {
        /// Which service.
        source: String,
        /// What it says happened.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event_type: Option<String>,
    },
    /// An external trigger.
    Callback {
        /// Which trigger.
        descriptor_id: String,
        /// Who used it, as it says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source: Option<String>,
    },
    /// A schedule.
    Timer {
        /// Which.
        timer_id: String,
    },
    /// A part of the runtime.
    System {
        /// Which part.
        subsystem: String,
    },
    /// Background work.
    Task {
        /// Which.
        task_id: String,
    },
}

impl EnvelopeOrigin {
    /// What kind of sender it is, in a word.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            EnvelopeOrigin::Operator { .. } => "operator",
            EnvelopeOrigin::Channel { .. } => "channel",
            EnvelopeOrigin::Webhook { .. } => "webhook",
            EnvelopeOrigin::Callback { .. } => "callback",
            EnvelopeOrigin::Timer { .. } => "timer",
            EnvelopeOrigin::System { .. } => "system",
            EnvelopeOrigin::Task { .. } => "task",
        }
    }
}

/// What an envelope says, kept in its structure as long as possible.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum EnvelopeBody {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A structure.
    Json {
        /// The structure.
        value: Value,
    },
    /// Something for the operator to read.
    Brief {
        /// Its heading.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// Its words.
        text: String,
        /// What goes with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attachments: Vec<String>,
    },
}

/// What lies in `contents` for an envelope: its words, and what the transport said beside them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvelopeContent {
    /// What it says.
    pub body: EnvelopeBody,
    /// What the transport added; it informs and never binds.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
}

impl EnvelopeContent {
    /// The words in what lies there; none if it is no such content.
    #[must_use]
    pub fn words(bytes: &[u8]) -> Option<String> {
        let content: EnvelopeContent = serde_json::from_slice(bytes).ok()?;
        Some(match content.body {
            EnvelopeBody::Text { text } | EnvelopeBody::Brief { text, .. } => text,
            EnvelopeBody::Json { value } => value.to_string(),
        })
    }
}

/// An admitted input. Written once; nothing rewrites where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// To whom.
    pub agent_id: AgentId,
    /// What it is.
    pub kind: EnvelopeKind,
    /// From whom.
    pub origin: EnvelopeOrigin,
    /// How far that sender is trusted.
    pub trust: EnvelopeTrust,
    /// What it may claim.
    pub authority_class: AuthorityClass,
    /// When it should have its turn.
    pub priority: Priority,
    /// What it is to a resting turn.
    pub trigger_kind: TriggerKind,
    /// Through which door.
    pub delivery_surface: DeliverySurface,
    /// What the door checked.
    pub admission_context: AdmissionContext,
    /// What it says, in `contents`.
    pub content: ContentRef,
    /// The run that reads it.
    pub run_key: RunKey,
    /// Not to be handed over before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deliver_at: Option<At>,
    /// The work item it belongs to, if the runtime says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work_item_id: Option<String>,
    /// The background work it belongs to, if the runtime says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    /// Stable names of where it came from: trigger, wait, schedule, delivery.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub source_refs: BTreeMap<String, String>,
    /// What belongs together across a workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
    /// What caused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub causation_id: Option<String>,
}

impl Envelope {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        let max = limits::SOURCE_REFS_MAX;
        Invalid::unless_within("source_refs", self.source_refs.len(), max, "entries")?;
        let refs = self.source_refs.iter().flat_map(|(name, value)| [name, value]);
        let ids = self.correlation_id.iter().chain(&self.causation_id);
        for text in refs.chain(ids) {
            Invalid::unless_within("reference", text.len(), limits::NAME_BYTES_MAX, "bytes")?;
        }
        Ok(())
    }
}
