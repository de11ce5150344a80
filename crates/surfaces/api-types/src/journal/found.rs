//! What a search found.

use serde::{Deserialize, Serialize};

/// What a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundReply {
    /// How many there are.
    pub total: usize,
    /// The best of them.
    pub hits: Vec<HitReply>,
}

/// A record that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HitReply {
    /// Which.
    pub id: String,
    /// Of which kind.
    pub kind: String,
    /// What it is called.
    pub title: String,
    /// Where the words are, between « and ».
    pub excerpt: String,
}
