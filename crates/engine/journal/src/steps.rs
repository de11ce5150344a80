//! The names of this room's commits: the simulator crashes before and after every one of them.

/// Does something for the operator, or puts back what was done.
pub(crate) const DO: &str = "journal.do";

/// Every one, but for what brings a whole journal from elsewhere.
pub const STEPS: &[&str] = &[DO];
