//! What a turn has done.

use std::collections::BTreeSet;

use tools::{Drafted, Left};
use types::{Code, InvocationId, OperationId};

/// What became of the calls of a turn.
#[derive(Default)]
pub(crate) struct Deeds {
    /// What the calls of the last answer would do, as it was seen when they were named.
    pub(crate) drafts: Vec<Drafted>,
    /// Operations that are done: who asks for one again hears its answer again.
    pub(crate) answered: BTreeSet<OperationId>,
    /// Calls that changed something.
    pub(crate) changing: BTreeSet<InvocationId>,
    /// Those that failed, by the code they failed with.
    pub(crate) failed: Vec<(String, Code)>,
    /// What they have left to write.
    pub(crate) left: Left,
}

impl Deeds {
    /// Takes what is left to write.
    pub(crate) fn take_left(&mut self) -> Left {
        std::mem::take(&mut self.left)
    }
}
