//! What a check reports.

use types::Domain;

/// What a full check of a file found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckReport {
    /// Which file's.
    pub domain: Domain,
    /// Changes in its log.
    pub changes: u64,
    /// Entries in its audit chain.
    pub audit_entries: u64,
    /// What is wrong, in sentences. Empty means nothing.
    pub findings: Vec<String>,
}

impl CheckReport {
    /// A file that is not there yet has nothing wrong in it.
    pub(crate) const fn of_nothing(domain: Domain) -> CheckReport {
        CheckReport { domain, changes: 0, audit_entries: 0, findings: Vec::new() }
    }
}
