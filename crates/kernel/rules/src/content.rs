//! Keeping words, and saying where they are.

use types::{Content, ContentRef, Label, RecordId, Write};

use crate::hash;

/// Keeps some words under a record, and says where they lie then.
#[must_use]
pub fn keep(subject: RecordId, label: Label, bytes: Vec<u8>) -> (Write, ContentRef) {
    let at = ContentRef { subject: subject.clone(), hash: hash::bytes(&bytes) };
    (Write::Content(Content { subject, label, bytes }), at)
}
