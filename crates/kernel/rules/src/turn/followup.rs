//! Why the runtime looks again by itself: there is more to do, and nobody else says so.

/// A look filled its page and has not seen everything.
pub const MORE: &str = "more";
/// A run ended because its words were taken up elsewhere; what was merged into it is still to be seen.
pub const INTERJECTED: &str = "interjected";
/// A run failed for good; what it stood for besides is still to be seen.
pub const AFTER_FAILURE: &str = "after_failure";

/// Somebody agreed to a model, and runs had been refused for want of that.
pub const AGREED: &str = "agreed";

/// Whether a tick of this cause is one of these.
#[must_use]
pub fn is(cause: &str) -> bool {
    [MORE, INTERJECTED, AFTER_FAILURE, AGREED].contains(&cause)
}
