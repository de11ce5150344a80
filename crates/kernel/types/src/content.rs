//! Contents: all text and bytes that somebody said or produced, in one place, by subject and hash.

use std::ops::Deref;

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

/// A content that is to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentDraft {
    /// The record it is about.
    pub subject: RecordId,
    /// Where it came from and how far it may be trusted.
    pub label: Label,
    /// What it is.
    pub bytes: Hashed,
}

impl ContentDraft {
    /// Where it lies once it is kept.
    #[must_use]
    pub fn at(&self) -> ContentRef {
        ContentRef { subject: self.subject.clone(), hash: self.bytes.hash }
    }
}

/// Bytes with their SHA-256, worked out once however many ask for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hashed {
    bytes: Vec<u8>,
    hash: Digest,
}

impl Hashed {
    /// Their hash.
    #[must_use]
    pub const fn hash(&self) -> &Digest {
        &self.hash
    }
}

impl From<Vec<u8>> for Hashed {
    fn from(bytes: Vec<u8>) -> Hashed {
        Hashed { hash: Digest::of(&bytes), bytes }
    }
}

impl Deref for Hashed {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

/// A content as it was kept, with its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The record it is about.
    pub subject: RecordId,
    /// Where it came from and how far it may be trusted.
    pub label: Label,
    /// What it is.
    pub bytes: Vec<u8>,
}
