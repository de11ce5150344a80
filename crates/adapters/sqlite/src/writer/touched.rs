//! What a commit has touched so far.

use std::collections::{BTreeMap, BTreeSet};

use types::{AgentId, Digest, Image, PayloadType, PreImage, RecordId, Token, VectorClock};

use crate::reads::Place;

/// What a commit has touched so far.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// Its synced records, as other hosts name them.
    pub(super) units: BTreeSet<(PayloadType, RecordId)>,
    /// What it is about.
    pub(super) tokens: BTreeSet<Token>,
    /// What it did to each record.
    pub(super) images: Vec<Image>,
    /// The contents that it keeps.
    pub(super) contents: Vec<(RecordId, Digest)>,
    /// The last event of each agent that it tells of something.
    pub(super) event_heads: BTreeMap<AgentId, Place>,
    /// What it replaced, as it was.
    pub(super) before: PreImage,
    /// The records that it wrote and others may hear of, as they are now.
    pub(super) records: BTreeMap<RecordId, VectorClock>,
    /// The wakes that it queued.
    pub(super) runs_queued: u32,
    /// Something may have become due by it.
    pub(super) stirs: bool,
}
