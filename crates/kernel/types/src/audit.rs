//! Audit entries: who did what to what, chained so that nothing can be changed unnoticed.

use crate::{At, Digest};

/// An audit entry as it goes into a commit; actor and time are the commit's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditDraft {
    /// What was done, such as `task.create`.
    pub action: &'static str,
    /// To what.
    pub subject: String,
    /// Anything a reader needs besides; never content, which can be erased while this cannot.
    pub detail: String,
}

/// An audit entry as it lies in the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its number, from 1 without gaps.
    pub number: u64,
    /// When.
    pub at: At,
    /// Who, as canonical JSON of the author.
    pub actor: String,
    /// What was done.
    pub action: String,
    /// To what.
    pub subject: String,
    /// Anything besides.
    pub detail: String,
    /// The hash over the entry before and this one.
    pub hash: Digest,
}
