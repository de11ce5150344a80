//! Links between records.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{At, LinkId, RecordId, VectorClock};

/// How two records are related. A relation this version does not know is kept as it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Relation {
    /// Agent to its state.
    AgentState,
    /// Agent to the newest message of its chain.
    AgentHead,
    /// Message to the one before it.
    MessagePrev,
    /// Message to its payload.
    MessagePayload,
    /// Summary to the first message it covers.
    SummaryStart,
    /// Summary to the last message it covers.
    SummaryEnd,
    /// Agent to its newest report.
    AgentReportHead,
    /// Report to the messages it rests on.
    ReportSourceSpan,
    /// Message to what a tool changed.
    ToolEffect,
    /// Agent to the task it tends.
    AgentTask,
    /// One that this version does not know: kept, forwarded, never acted on.
    Basic(String),
}

const RELATIONS: [(Relation, &str); 10] = [
    (Relation::AgentState, "agent_state"),
    (Relation::AgentHead, "agent_head"),
    (Relation::MessagePrev, "message_prev"),
    (Relation::MessagePayload, "message_payload"),
    (Relation::SummaryStart, "summary_start"),
    (Relation::SummaryEnd, "summary_end"),
    (Relation::AgentReportHead, "agent_report_head"),
    (Relation::ReportSourceSpan, "report_source_span"),
    (Relation::ToolEffect, "tool_effect"),
    (Relation::AgentTask, "agent_task"),
];

impl Relation {
    /// The relation as it is stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Relation::Basic(name) => name,
            known => {
                RELATIONS.iter().find(|(r, _)| r == known).map(|(_, name)| *name).expect("listed")
            }
        }
    }
}

impl From<String> for Relation {
    fn from(name: String) -> Relation {
        let known = RELATIONS.into_iter().find(|(_, known)| *known == name);
        known.map_or(Relation::Basic(name), |(relation, _)| relation)
    }
}

impl From<Relation> for String {
    fn from(relation: Relation) -> String {
        relation.as_str().to_owned()
    }
}

/// A link as it goes into a commit. There is one per pair and relation: the same again updates it.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkDraft {
    /// Its id, used if the pair is not linked yet.
    pub id: LinkId,
    /// From which record.
    pub from: RecordId,
    /// To which.
    pub to: RecordId,
    /// How.
    pub relation: Relation,
    /// Kept out of ordinary listings.
    pub hidden: bool,
    /// Anything besides.
    pub body: Map<String, Value>,
    /// Leaves a tombstone instead of a live link.
    pub deleted: bool,
}

/// A link as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Its id.
    pub id: LinkId,
    /// From which record.
    pub from: RecordId,
    /// To which.
    pub to: RecordId,
    /// How.
    pub relation: Relation,
    /// Kept out of ordinary listings.
    pub hidden: bool,
    /// Anything besides.
    pub body: Map<String, Value>,
    /// When it was made.
    pub created_at: At,
    /// When it last changed.
    pub updated_at: At,
    /// When it was removed; a tombstone stays so that other hosts learn of it.
    pub deleted_at: Option<At>,
    /// What it has seen.
    pub clock: VectorClock,
}
