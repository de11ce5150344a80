//! How things stand when a model is to be asked.

use std::collections::BTreeMap;

use types::{Account, BudgetLimits, Fence, Lifecycle, ModelConsent};

use super::Access;

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Snapshot<'a> {
    /// The fence around everything.
    pub global_fence: Fence,
    /// How the agent stands in life.
    pub lifecycle: Lifecycle,
    /// Which models may be asked, and by whom.
    pub access: &'a Access,
    /// The providers that are configured, each with the version of its terms.
    pub providers: &'a BTreeMap<String, String>,
    /// What the operator agreed to; those of other models and versions may be among them.
    pub receipts: &'a [ModelConsent],
    /// Whether what would be sent is what the turn is about and no more; if not, what does not belong.
    pub projection: Result<(), &'a str>,
    /// What the agent has of this day.
    pub account: Account,
    /// What it may spend in a day.
    pub limits: BudgetLimits,
}
