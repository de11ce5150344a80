//! Keeping words, and saying where they are.

use types::{ContentDraft, ContentRef, Label, RecordId, Write};

/// Keeps some words under a record, and says where they lie then.
#[must_use]
pub fn keep(subject: RecordId, label: Label, bytes: Vec<u8>) -> (Write, ContentRef) {
    let draft = ContentDraft { subject, label, bytes: bytes.into() };
    let at = draft.at();
    (Write::Content(draft), at)
}
