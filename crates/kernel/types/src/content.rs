//! Contents: all text and bytes that somebody said or produced, in one place, by subject and hash.

use serde::{Deserialize, Serialize};

use crate::{Digest, Label, RecordId};

/// A pointer to a content: whose it is, and the SHA-256 of its bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentRef {
    /// The record it is about; erasing the subject erases its contents.
    pub subject: RecordId,
    /// The hash of the bytes.
    pub hash: Digest,
}

/// A content with its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The record it is about.
    pub subject: RecordId,
    /// Where it came from and how far it may be trusted.
    pub label: Label,
    /// What it is.
    pub bytes: Vec<u8>,
}
