//! What the index is fed with.

use types::{At, CategoryId, RecordId};

/// A record as it can be found: whoever feeds the index decides what of a record is its title and
/// what its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Which record.
    pub id: RecordId,
    /// What it is, as people filter by it.
    pub kind: String,
    /// Where it belongs; also who may find it. One without is found only by who may find all.
    pub category: Option<CategoryId>,
    /// Its heading; a word here counts for more than one in the text.
    pub title: String,
    /// All its other words.
    pub text: String,
    /// When it was last written; of two that fit equally well the newer comes first.
    pub at: At,
}
