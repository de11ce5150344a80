//! What a commit has touched so far.

use std::collections::BTreeSet;

use types::{Image, PayloadType, Record, RecordId, Token};

/// What a commit has touched so far.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// Its synced records, as other hosts name them.
    pub(super) units: BTreeSet<(PayloadType, RecordId)>,
    /// What it is about.
    pub(super) tokens: BTreeSet<Token>,
    /// What it did to each record.
    pub(super) images: Vec<Image>,
    /// The records it replaced, as they were.
    pub(super) before: Vec<Record>,
    /// The wakes that it queued.
    pub(super) runs_queued: u32,
    /// Something may have become due by it.
    pub(super) stirs: bool,
}
