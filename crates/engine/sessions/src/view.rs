//! What is told of sessions.

use rules::session::{Grounded, Whole};
use types::{
    At, BlockRef, ContextWindow, ConversationId, DialogAct, Grounding, RunKey, Session, SessionId,
    TurnId, TurnKind, TurnSpent,
};

/// A session with what its turns come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionView {
    /// Its id.
    pub id: SessionId,
    /// The session.
    pub session: Session,
    /// Turns that are over, as far as one read reaches.
    pub turns: usize,
    /// How full it is.
    pub window: ContextWindow,
    /// What the last of its turns was asked with: what is in mind if it goes on.
    pub working_memory: Vec<BlockRef>,
}

/// A turn of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidView {
    /// Its id.
    pub id: TurnId,
    /// Which turn of the agent; later ones have higher numbers.
    pub turn_index: u64,
    /// Of which run.
    pub run_key: RunKey,
    /// When it was over.
    pub at: At,
    /// How.
    pub kind: TurnKind,
    /// What was said, with what was thrown in meanwhile.
    pub said: Vec<String>,
    /// What was answered.
    pub answered: String,
    /// What was meant.
    pub dialog_act: Option<DialogAct>,
    /// What it did to the common ground.
    pub grounding: Option<Grounding>,
    /// What it took.
    pub spent: TurnSpent,
}

/// A conversation: its sessions in their order, and what they have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationView {
    /// Its id.
    pub id: ConversationId,
    /// Its sessions.
    pub sessions: Vec<SessionView>,
    /// Who takes part, from when to when.
    pub whole: Whole,
    /// Its common ground, oldest first.
    pub ground: Vec<Grounded>,
}
