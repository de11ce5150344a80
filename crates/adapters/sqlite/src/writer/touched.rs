//! What a commit has touched so far.

use std::collections::BTreeSet;

use types::{Image, PayloadType, PreImage, RecordId, Token};

/// What a commit has touched so far.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// Its synced records, as other hosts name them.
    pub(super) units: BTreeSet<(PayloadType, RecordId)>,
    /// What it is about.
    pub(super) tokens: BTreeSet<Token>,
    /// What it did to each record.
    pub(super) images: Vec<Image>,
    /// What it replaced, as it was.
    pub(super) before: PreImage,
    /// The wakes that it queued.
    pub(super) runs_queued: u32,
    /// Something may have become due by it.
    pub(super) stirs: bool,
}
