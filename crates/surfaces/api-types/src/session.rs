//! Sessions and conversations, on the wire.

use serde::{Deserialize, Serialize};
use types::{At, ContextWindow, GroundingAct};

/// A request about sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case", deny_unknown_fields)]
pub enum SessionCall {
    /// Starts one before anything is said in it.
    Start {
        /// With whom.
        agent: String,
        /// What to call it.
        session: String,
        /// In which conversation; one of its own if absent.
        #[serde(default)]
        conversation: Option<String>,
        /// Tokens that fit; as many as the model holds if absent.
        #[serde(default)]
        token_capacity: Option<u64>,
    },
    /// Starts one that goes on from another.
    Continue {
        /// With whom.
        agent: String,
        /// From which: its name or its id.
        session: String,
    },
    /// Ends one.
    End {
        /// With whom.
        agent: String,
        /// Which.
        session: String,
    },
    /// Breaks one off, with whatever is under way in it.
    Interrupt {
        /// With whom.
        agent: String,
        /// Which.
        session: String,
    },
    /// One, with how full it is.
    Get {
        /// With whom.
        agent: String,
        /// Which.
        session: String,
    },
    /// Its turns, in ascending order.
    History {
        /// With whom.
        agent: String,
        /// Which.
        session: String,
        /// The newest of them, at most this many.
        limit: usize,
    },
    /// All with an agent, oldest first.
    List {
        /// With whom.
        agent: String,
    },
    /// A conversation: its sessions in their order, and its common ground.
    Conversation {
        /// Which.
        conversation: String,
    },
    /// Says how a turn stands in the common ground of its conversation.
    Ground {
        /// Of which conversation.
        conversation: String,
        /// Which turn.
        turn: String,
        /// `acknowledge`, `request_repair` or `cancel`.
        act: GroundingAct,
    },
}

/// A session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionReply {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// With whom.
    pub agent: String,
    /// Its conversation.
    pub conversation: String,
    /// `active`, `ended` or `interrupted`.
    pub status: String,
    /// `operator`, and the agents.
    pub participants: Vec<String>,
    /// The session it goes on from.
    pub continued_from: Option<String>,
    /// The session that goes on from it.
    pub continued_by: Option<String>,
    /// When it started.
    pub began_at: At,
    /// When it was over.
    pub over_at: Option<At>,
    /// The door that it was started through.
    pub channel: String,
    /// Turns that are over.
    pub turns: usize,
    /// How full it is.
    pub context_window: ContextWindow,
    /// What is in mind if it goes on.
    pub working_memory: Vec<InMindReply>,
}

/// A part of what is in mind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InMindReply {
    /// What it is.
    pub kind: String,
    /// About how many tokens.
    pub tokens: u64,
}

/// A turn of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SaidReply {
    /// Its id.
    pub turn: String,
    /// Which turn of the agent.
    pub turn_index: u64,
    /// Of which run.
    pub run_key: String,
    /// When it was over.
    pub at: At,
    /// It came to its end.
    pub completed: bool,
    /// What was said.
    pub said: Vec<String>,
    /// What was answered.
    pub answered: String,
    /// What was meant.
    pub dialog_act: Option<String>,
    /// What it did to the common ground.
    pub grounding_act: Option<String>,
    /// What shows that it was taken up.
    pub evidence: Option<String>,
    /// Tokens that it took.
    pub tokens: u64,
}

/// What is common ground.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroundReply {
    /// The turn that it comes from.
    pub turn: String,
    /// In which session.
    pub session: String,
    /// When.
    pub at: At,
    /// What was done.
    pub act: String,
    /// What shows that it was taken up.
    pub evidence: String,
    /// `shared`, `questioned` or `withdrawn`.
    pub standing: String,
}

/// A conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConversationReply {
    /// Its id.
    pub id: String,
    /// Its sessions, in their order.
    pub sessions: Vec<SessionReply>,
    /// Who takes part in any of them.
    pub participants: Vec<String>,
    /// When the first began.
    pub began_at: At,
    /// When the last was over.
    pub over_at: Option<At>,
    /// Its common ground, oldest first.
    pub common_ground: Vec<GroundReply>,
}
