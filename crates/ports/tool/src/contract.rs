//! What a tool promises, before anybody calls it.

use serde_json::Value;
use types::{BodyType, Capability, Domain, Idempotency, Risk, ScopeRule, WakeReason};

/// How the pattern of a record's whole id ends in the schema of a tool. What does not match it names a record for
/// certain in no case.
pub const ID_END: &str = "_[a-z0-9_-]+$";

/// What a tool promises. The contract file says the same, entry by entry.
#[derive(Debug, Clone, Copy)]
pub struct Contract {
    /// Its name, as a model calls it.
    pub name: &'static str,
    /// Of the contract; it rises when a promise changes.
    pub version: u32,
    /// What it does and when to use it, for a model.
    pub description: &'static str,
    /// What the caller's profile must hold.
    pub capabilities: &'static [Capability],
    /// In which wakes it may be called.
    pub wake_reasons: &'static [WakeReason],
    /// The JSON Schema of its arguments.
    pub input: fn() -> Value,
    /// The JSON Schema of its answer.
    pub output: fn() -> Value,
    /// What makes two calls the same.
    pub idempotency: Idempotency,
    /// How it keeps to the caller's categories.
    pub scope: ScopeRule,
    /// The kinds of record that it changes; their semantic keys are among the tokens of the change.
    pub side_effects: &'static [BodyType],
    /// How much can go wrong.
    pub risk: Risk,
    /// It can show what it would do.
    pub preview: bool,
    /// What it did can be put back.
    pub reversible: bool,
    /// The rule by which its answer is cut down before a model sees it.
    pub data_minimization: &'static str,
}

impl Contract {
    /// Whether it changes anything.
    #[must_use]
    pub const fn mutates(&self) -> bool {
        matches!(self.idempotency, Idempotency::OperationId)
    }

    /// The file it writes into, if it writes: that of the kinds of record it changes.
    #[must_use]
    pub const fn domain(&self) -> Domain {
        match self.side_effects {
            [kind, ..] => kind.domain(),
            [] => Domain::Journal,
        }
    }
}
