//! Listening while a model speaks.

use types::TokenUsage;

/// What is heard while a model speaks. It is for eyes only: what counts is the whole answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A new attempt begins: what was heard of an earlier one is void.
    Restart {
        /// Which attempt, from 1.
        attempt: u32,
        /// What those before it took, as far as anybody knows.
        taken: TokenUsage,
    },
    /// Some words.
    Text {
        /// In which attempt.
        attempt: u32,
        /// Which piece of it, from 0.
        n: u64,
        /// The words.
        text: String,
    },
    /// It begins to ask for a tool.
    Call {
        /// In which attempt.
        attempt: u32,
        /// Which piece of it, from 0.
        n: u64,
        /// Which tool.
        tool: String,
    },
}

/// Whoever listens. It must not wait.
pub trait Listen: Send + Sync {
    /// Something was heard.
    fn heard(&self, heard: Heard);

    /// Whether another attempt may be made, now that those before it took so much.
    fn may_try_again(&self, _taken: TokenUsage) -> bool {
        true
    }
}

/// Nobody listens.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quiet;

impl Listen for Quiet {
    fn heard(&self, _heard: Heard) {}
}
