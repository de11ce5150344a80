//! What was done to the journal.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use types::At;

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DoneReply {
    /// The operation, by which it can be undone; absent if nothing had to change.
    pub operation: Option<String>,
    /// What the verb answers.
    pub answer: Value,
    /// It had been done before, under the same name.
    pub repeated: bool,
    /// It was only shown.
    pub preview: bool,
}

impl DoneReply {
    /// The beginning of the operation's id, by which people name it.
    #[must_use]
    pub fn short(&self) -> &str {
        let id = self.operation.as_deref().unwrap_or_default();
        id.get(..12).unwrap_or(id)
    }
}

/// One thing that was done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryReply {
    /// The operation, by which it can be undone.
    pub operation: Option<String>,
    /// The verb.
    pub verb: Option<String>,
    /// Who did it: `operator`, `runtime`, or an agent's id.
    pub author: String,
    /// In which run of that agent.
    pub run_key: Option<String>,
    /// When.
    pub at: At,
    /// When, as one speaks of it now.
    pub when: String,
    /// What it touched.
    pub records: Vec<TouchedReply>,
}

/// A record that was touched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TouchedReply {
    /// Which.
    pub id: String,
    /// What people call it.
    pub name: Option<String>,
    /// `made`, `changed` or `removed`.
    pub what: String,
    /// The fields that differ.
    pub fields: Vec<String>,
}
