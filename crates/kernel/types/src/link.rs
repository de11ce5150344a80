//! Links between records.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{At, Domain, LinkId, RecordId, VectorClock};

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
    /// Agent to what says which of its reports stands.
    AgentReportHead,
    /// Report to the first and the last message it rests on.
    ReportSourceSpan,
    /// Message to what a tool changed.
    ToolEffect,
    /// Agent to the task it tends.
    AgentTask,
    /// Task to one that cannot begin before it is done.
    Blocks,
    /// Task to a part of it.
    ParentOf,
    /// Task to the one that carries on from it.
    FollowedBy,
    /// Task to one that has to do with it.
    RelatesTo,
    /// Time entry to the entry in which it was told.
    ToldIn,
    /// One that this version does not know: kept, forwarded, never acted on.
    Basic(String),
}

const RELATIONS: [(Relation, &str); 15] = [
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
    (Relation::Blocks, "blocks"),
    (Relation::ParentOf, "parent_of"),
    (Relation::FollowedBy, "followed_by"),
    (Relation::RelatesTo, "relates_to"),
    (Relation::ToldIn, "told_in"),
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

impl Relation {
    /// The domain whose records it relates; none for one that this version does not know.
    #[must_use]
    pub const fn domain(&self) -> Option<Domain> {
        match self {
            Relation::Blocks
            | Relation::ParentOf
            | Relation::FollowedBy
            | Relation::RelatesTo
            | Relation::ToldIn => Some(Domain::Journal),
            Relation::Basic(_) => None,
            _ => Some(Domain::Agent),
        }
    }

    /// The relations between tasks.
    pub const BETWEEN_TASKS: [Relation; 4] =
        [Relation::Blocks, Relation::ParentOf, Relation::FollowedBy, Relation::RelatesTo];
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
