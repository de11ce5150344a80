//! Records: one envelope for everything a domain keeps, with its typed body.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::value::RawValue;

use crate::{
    AgentIdentity, AgentState, At, Category, Checklist, ChecklistItem, DayPlan, Domain, Entry,
    Envelope, ExternalTrigger, GroundingNote, Invalid, Message, MessageKind, ModelConsent,
    PayloadType, Rating, RecordId, Report, ReportHead, Schedule, Session, Subscription, Task,
    TaskLabel, TimeEntry, ToolInvocation, Turn, VectorClock, Wait,
};

macro_rules! bodies {
    ($($(#[$doc:meta])* $name:ident($inner:ty) = $tag:literal, $domain:ident, $key:literal;)*) => {
        /// The kinds of record this version knows.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum BodyType {
            $($(#[$doc])* $name,)*
        }

        impl BodyType {
            /// Every kind.
            pub const ALL: &[BodyType] = &[$(BodyType::$name,)*];

            /// The kind as it is stored.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(BodyType::$name => $tag,)* }
            }

            /// The domain it lives in; a commit to the other one refuses it.
            #[must_use]
            pub const fn domain(self) -> Domain {
                match self { $(BodyType::$name => Domain::$domain,)* }
            }

            /// The semantic key its changes carry.
            #[must_use]
            pub const fn semantic_key(self) -> &'static str {
                match self { $(BodyType::$name => $key,)* }
            }
        }

        /// The body of a record.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Body {
            $($(#[$doc])* $name($inner),)*
            /// One this version does not know, or knows otherwise: kept word for word, forwarded,
            /// never acted on.
            Unknown {
                /// Its kind.
                kind: String,
                /// Its JSON.
                raw: String,
            },
        }

        impl Body {
            /// Its kind, if it is a known one.
            #[must_use]
            pub const fn body_type(&self) -> Option<BodyType> {
                match self { $(Body::$name(_) => Some(BodyType::$name),)* Body::Unknown { .. } => None }
            }

            /// Its kind as it is stored.
            #[must_use]
            pub fn kind(&self) -> &str {
                match self {
                    $(Body::$name(_) => $tag,)*
                    Body::Unknown { kind, .. } => kind,
                }
            }

            /// Reads a stored body. What cannot be read in full is kept as unknown.
            #[must_use]
            pub fn decode(kind: &str, json: Cow<'_, str>) -> Body {
                fn typed<T: DeserializeOwned>(json: &str) -> Option<T> {
                    serde_json::from_str(json).ok()
                }
                let known = match kind {
                    $($tag => typed(&json).map(Body::$name),)*
                    _ => None,
                };
                known.unwrap_or_else(|| Body::Unknown {
                    kind: kind.to_owned(),
                    raw: json.into_owned(),
                })
            }

            /// The JSON to store.
            #[must_use]
            pub fn encode(&self) -> String {
                match self {
                    $(Body::$name(body) => serde_json::to_string(body).expect("records are JSON"),)*
                    Body::Unknown { raw, .. } => raw.clone(),
                }
            }
        }

        $(
            impl From<$inner> for Body {
                fn from(body: $inner) -> Body {
                    Body::$name(body)
                }
            }
        )*
    };
}

bodies! {
    /// Who an agent is.
    Agent(AgentIdentity) = "agent", Agent, "AGENT";
    /// What an agent durably knows of itself.
    AgentState(AgentState) = "agentState", Agent, "AGENT_STATE";
    /// What an agent wakes for.
    AgentSubscription(Subscription) = "agentSubscription", Agent, "AGENT_SUBSCRIPTION";
    /// When an agent wakes by the clock.
    AgentSchedule(Schedule) = "agentSchedule", Agent, "AGENT_SCHEDULE";
    /// The right to wake an agent from outside.
    AgentTrigger(ExternalTrigger) = "agentTrigger", Agent, "AGENT_TRIGGER";
    /// What an agent waits for.
    AgentWait(Wait) = "agentWait", Agent, "AGENT_WAIT";
    /// An admitted input of an agent.
    AgentEnvelope(Envelope) = "agentEnvelope", Agent, "AGENT_ENVELOPE";
    /// A message of a thread.
    AgentMessage(Box<Message>) = "agentMessage", Agent, "AGENT_MESSAGE";
    /// The one execution of a wake.
    AgentTurn(Box<Turn>) = "agentTurn", Agent, "AGENT_TURN";
    /// An interactive thread that begins and ends.
    AgentSession(Session) = "agentSession", Agent, "AGENT_SESSION";
    /// What the operator says about the common ground of a conversation.
    AgentGrounding(GroundingNote) = "agentGrounding", Agent, "AGENT_GROUNDING";
    /// A report of an agent.
    AgentReport(Report) = "agentReport", Agent, "AGENT_REPORT";
    /// Which report of an agent stands.
    AgentReportHead(ReportHead) = "agentReportHead", Agent, "AGENT_REPORT_HEAD";
    /// That a person agreed to a model.
    ModelConsent(ModelConsent) = "modelConsent", Agent, "MODEL_CONSENT";
    /// One call of a tool by an agent.
    AgentToolInvocation(Box<ToolInvocation>) = "agentToolInvocation", Agent, "AGENT_TOOL_INVOCATION";
    /// A category of the journal.
    Category(Category) = "category", Journal, "CATEGORY";
    /// A task of the journal.
    Task(Task) = "task", Journal, "TASK";
    /// A label that tasks can bear.
    TaskLabel(TaskLabel) = "label", Journal, "LABEL";
    /// A checklist of a task.
    Checklist(Checklist) = "checklist", Journal, "CHECKLIST";
    /// An item of a checklist.
    ChecklistItem(ChecklistItem) = "checklistItem", Journal, "CHECKLIST_ITEM";
    /// What somebody wrote, said or photographed.
    Entry(Entry) = "entry", Journal, "ENTRY";
    /// Time that was spent.
    TimeEntry(TimeEntry) = "timeEntry", Journal, "TIME_ENTRY";
    /// The plan of a day.
    DayPlan(DayPlan) = "dayPlan", Journal, "DAY_PLAN";
    /// How something was.
    Rating(Rating) = "rating", Journal, "RATING";
}

impl From<Message> for Body {
    fn from(message: Message) -> Body {
        Body::AgentMessage(Box::new(message))
    }
}

impl From<Turn> for Body {
    fn from(turn: Turn) -> Body {
        Body::AgentTurn(Box::new(turn))
    }
}

impl From<ToolInvocation> for Body {
    fn from(invocation: ToolInvocation) -> Body {
        Body::AgentToolInvocation(Box::new(invocation))
    }
}

impl BodyType {
    /// The kind as change units and other hosts name it.
    #[must_use]
    pub fn payload_type(self) -> PayloadType {
        PayloadType::new(match self.domain() {
            Domain::Journal => "journalEntity",
            Domain::Agent => self.as_str(),
        })
    }
}

impl Body {
    /// The record under which it is listed: an agent, a category, or the domain's root.
    #[must_use]
    pub fn owner(&self) -> &str {
        match self {
            Body::Agent(_) => "agents",
            Body::AgentState(state) => state.agent_id.as_str(),
            Body::AgentSubscription(subscription) => subscription.agent_id.as_str(),
            Body::AgentSchedule(schedule) => schedule.agent_id.as_str(),
            Body::AgentTrigger(trigger) => trigger.agent_id.as_str(),
            Body::AgentWait(wait) => wait.agent_id.as_str(),
            Body::AgentEnvelope(envelope) => envelope.agent_id.as_str(),
            // A summary stands for a part of a thread and is looked for there.
            Body::AgentMessage(message) if message.kind == MessageKind::Summary => {
                message.thread.as_str()
            }
            Body::AgentMessage(message) => message.agent_id.as_str(),
            Body::AgentTurn(turn) => turn.agent_id.as_str(),
            // A conversation is the sessions that lie under it.
            Body::AgentSession(session) => session.conversation_id.as_str(),
            Body::AgentGrounding(note) => note.conversation_id.as_str(),
            Body::AgentReport(report) => report.agent_id.as_str(),
            Body::AgentReportHead(head) => head.agent_id.as_str(),
            Body::ModelConsent(_) => "consents",
            Body::AgentToolInvocation(invocation) => invocation.agent_id.as_str(),
            Body::Category(_) => "categories",
            Body::Task(task) => task.category_id.as_str(),
            Body::TaskLabel(_) => "labels",
            Body::Checklist(checklist) => checklist.task_id.as_str(),
            Body::ChecklistItem(item) => item.checklist_id.as_str(),
            Body::Entry(entry) => match &entry.task_id {
                Some(task) => task.as_str(),
                None => entry.category_id.as_str(),
            },
            Body::TimeEntry(time) => time.task_id.as_str(),
            Body::DayPlan(_) => "plans",
            Body::Rating(rating) => rating.target_id.as_str(),
            Body::Unknown { .. } => "",
        }
    }

    /// The finer kind by which it is listed: a task's status, a message's thread.
    #[must_use]
    pub fn subtype(&self) -> &str {
        match self {
            Body::Agent(agent) => agent.lifecycle.as_str(),
            Body::AgentSchedule(schedule) => schedule.status.as_str(),
            Body::AgentTrigger(trigger) => trigger.status.as_str(),
            Body::AgentWait(wait) => wait.state.as_str(),
            Body::AgentEnvelope(envelope) => envelope.kind.as_str(),
            Body::AgentMessage(message) => match message.kind {
                // Notes are read across threads, everything else within one.
                MessageKind::Observation | MessageKind::Summary => message.kind.as_str(),
                _ => message.thread.as_str(),
            },
            Body::AgentSession(session) => session.status.as_str(),
            Body::AgentReport(report) => report.scope.as_str(),
            Body::AgentReportHead(head) => head.scope.as_str(),
            Body::AgentToolInvocation(invocation) => invocation.state.as_str(),
            Body::Task(task) => task.status.as_str(),
            Body::ChecklistItem(item) if item.checked => "checked",
            Body::ChecklistItem(_) => "open",
            Body::Entry(entry) => entry.kind.as_str(),
            _ => "",
        }
    }

    pub(crate) fn check(&self, id: &RecordId) -> Result<(), Invalid> {
        match self {
            Body::Agent(agent) => agent.check(id),
            Body::AgentState(state) => state.check(),
            Body::AgentSubscription(subscription) => subscription.check(),
            Body::AgentSchedule(schedule) => schedule.check(),
            Body::AgentWait(wait) => wait.check(),
            Body::AgentEnvelope(envelope) => envelope.check(),
            Body::AgentTrigger(_) => Ok(()),
            Body::AgentMessage(message) => message.check(),
            Body::AgentTurn(turn) => turn.check(),
            Body::AgentSession(session) => session.check(id),
            Body::AgentReport(report) => report.check(),
            Body::AgentGrounding(_) | Body::AgentReportHead(_) | Body::ModelConsent(_) => Ok(()),
            Body::AgentToolInvocation(invocation) => invocation.check(),
            Body::Category(category) => category.check(),
            Body::Task(task) => task.check(),
            Body::TaskLabel(label) => label.check(),
            Body::Checklist(checklist) => checklist.check(),
            Body::ChecklistItem(item) => item.check(),
            Body::Entry(entry) => entry.check(),
            Body::TimeEntry(time) => time.check(),
            Body::DayPlan(plan) => plan.check(),
            Body::Rating(rating) => rating.check(),
            Body::Unknown { .. } => Err(Invalid::new("body", "is of a kind this version lacks")),
        }
    }
}

/// A record as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its id.
    pub id: RecordId,
    /// What it is.
    pub body: Body,
    /// Version of the body's structure.
    pub schema_version: u32,
    /// How often it was written here; guards local writes, orders nothing across hosts.
    pub revision: u64,
    /// When it was first written.
    pub created_at: At,
    /// When it was last written.
    pub updated_at: At,
    /// When it was removed; the tombstone stays so that other hosts learn of it.
    pub deleted_at: Option<At>,
    /// What it has seen.
    pub clock: VectorClock,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire<'a> {
    id: RecordId,
    #[serde(rename = "type")]
    kind: String,
    schema_version: u32,
    revision: u64,
    created_at: At,
    updated_at: At,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deleted_at: Option<At>,
    clock: VectorClock,
    // Borrowed raw, so that an unknown body comes out as it went in.
    #[serde(borrow)]
    body: &'a RawValue,
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let body = RawValue::from_string(self.body.encode()).map_err(serde::ser::Error::custom)?;
        Wire {
            id: self.id.clone(),
            kind: self.body.kind().to_owned(),
            schema_version: self.schema_version,
            revision: self.revision,
            created_at: self.created_at,
            updated_at: self.updated_at,
            deleted_at: self.deleted_at,
            clock: self.clock.clone(),
            body: &body,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Record, D::Error> {
        let raw = <Box<RawValue>>::deserialize(deserializer)?;
        let wire: Wire<'_> = serde_json::from_str(raw.get()).map_err(de::Error::custom)?;
        Ok(Record {
            body: Body::decode(&wire.kind, wire.body.get().into()),
            id: wire.id,
            schema_version: wire.schema_version,
            revision: wire.revision,
            created_at: wire.created_at,
            updated_at: wire.updated_at,
            deleted_at: wire.deleted_at,
            clock: wire.clock,
        })
    }
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
