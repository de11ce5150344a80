//! The names of this room's commits: the simulator crashes before and after every one of them.

/// Keeps a receipt.
pub(crate) const GRANT: &str = "consent.grant";
/// Takes receipts back.
pub(crate) const REVOKE: &str = "consent.revoke";

/// Every one.
pub const STEPS: &[&str] = &[GRANT, REVOKE];
