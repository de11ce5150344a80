//! Operations: mutating calls, each done once, each with what is needed to undo it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{At, Author, ContentRef, OperationId, Position, Record, RecordId, RunKey};

/// A mutating call as it goes into a commit.
///
/// The commit is applied once per operation id. The same id again answers with the first result
/// and changes nothing; the store keeps the pre-image of every record the commit touches.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationDraft {
    /// Its name.
    pub id: OperationId,
    /// The verb, such as `create_task`.
    pub verb: &'static str,
    /// The record it is about.
    pub subject: RecordId,
    /// The run it belongs to, if an agent does it.
    pub run_key: Option<RunKey>,
    /// What the caller gets, now and on every repetition.
    pub result: Value,
}

/// An operation as the store remembers it.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Its name.
    pub id: OperationId,
    /// The verb.
    pub verb: String,
    /// The record it is about.
    pub subject: RecordId,
    /// The run it belongs to.
    pub run_key: Option<RunKey>,
    /// Who did it.
    pub author: Author,
    /// When.
    pub at: At,
    /// The change it made, if it made one.
    pub position: Option<Position>,
    /// What the caller got.
    pub result: ContentRef,
    /// What was there before, if anything was.
    pub pre_image: Option<ContentRef>,
}

/// The content of a pre-image: each touched record that existed, as it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PreImage(pub Vec<Record>);
