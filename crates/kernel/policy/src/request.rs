//! What is asked.

use std::collections::BTreeSet;

use types::{
    AgentId, BodyType, Capability, CategoryId, Epoch, Idempotency, OperationId, TaskId, WakeReason,
};

/// What the contract of a tool says, as far as the gate has to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms<'a> {
    /// Its name.
    pub tool: &'a str,
    /// What the caller's profile must hold.
    pub capabilities: &'a [Capability],
    /// In which wakes it may be called.
    pub wake_reasons: &'a [WakeReason],
    /// Whether it changes anything.
    pub idempotency: Idempotency,
    /// The kinds of record that it may change.
    pub kinds: &'a [BodyType],
    /// It can show what it would do.
    pub preview: bool,
}

/// A call, as far as the gate has to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<'a> {
    /// What the tool promises.
    pub terms: Terms<'a>,
    /// Who calls.
    pub agent: &'a AgentId,
    /// Under which claim.
    pub epoch: Epoch,
    /// Why it is awake.
    pub wake_reason: WakeReason,
    /// The categories it may touch.
    pub scope: &'a BTreeSet<CategoryId>,
    /// The one task that it tends.
    pub task: Option<&'a TaskId>,
    /// The name of the operation, if it has one.
    pub operation: Option<OperationId>,
    /// Only show what would be done.
    pub preview: bool,
}

impl Request<'_> {
    /// Whether it would change something: a preview changes nothing.
    #[must_use]
    pub fn changes(&self) -> bool {
        self.terms.idempotency == Idempotency::OperationId && !self.preview
    }
}
