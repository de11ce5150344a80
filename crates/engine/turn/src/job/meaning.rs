//! What is meant by the words that a turn began with.

use types::{Classified, DialogAct};

/// What is meant, and who said so.
#[derive(Clone)]
pub(crate) struct Meaning {
    pub(crate) act: Option<DialogAct>,
    /// The fast model that was asked about it.
    pub(crate) classified: Option<Classified>,
}
