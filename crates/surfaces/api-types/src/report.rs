//! A report on the wire.

use serde::{Deserialize, Serialize};
use types::{At, SourceRef};

/// The report of an agent that stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportReply {
    /// Its id.
    pub id: String,
    /// Whose.
    pub agent: String,
    /// The stretch of time it is about.
    pub scope: String,
    /// When it was written.
    pub created_at: At,
    /// The run that wrote it.
    pub run_key: String,
    /// The model that wrote it.
    pub model: String,
    /// How sure its writer is, in percent.
    pub confidence: Option<u8>,
    /// Its words, in Markdown.
    pub content: String,
    /// How far it can still be relied on.
    pub freshness: FreshnessReply,
    /// What it says, claim by claim.
    pub claims: Vec<ClaimReply>,
}

/// A report that rests on a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RestingReply {
    /// Its id.
    pub id: String,
    /// Whose.
    pub agent: String,
    /// What its agent is called.
    pub name: String,
    /// The stretch of time it is about.
    pub scope: String,
    /// When it was written.
    pub created_at: At,
    /// The run that wrote it.
    pub run_key: String,
    /// It is what its agent says now, and not something that it has said before.
    pub stands: bool,
    /// What it says that rests on the record, claim by claim.
    pub claims: Vec<ClaimReply>,
}

/// How far a report can still be relied on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreshnessReply {
    /// It is out of date.
    pub stale: bool,
    /// Why: `too_old`, `newer_changes`.
    pub reasons: Vec<String>,
    /// Changes that its agent listens for, made by others after it had last looked.
    pub newer_changes: usize,
    /// There are more than were counted.
    pub more: bool,
}

/// One thing that a report says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimReply {
    /// Its name within the report.
    pub id: String,
    /// The section it stands in; empty if it names none.
    pub section: String,
    /// What it says.
    pub text: String,
    /// What it rests on.
    pub sources: Vec<SourceRef>,
    /// It was concluded, not read.
    pub inferred: bool,
    /// How sure its writer is, in percent.
    pub confidence: Option<u8>,
}
