//! What a profile allows.

use std::collections::{BTreeMap, BTreeSet};

use types::{Capability, Quota};

/// What an agent may use, and how often. It follows from the agent's template, never from what woke it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rights {
    /// What its profile holds.
    pub capabilities: BTreeSet<Capability>,
    /// How often it may call which tool; one that is absent, as often as it likes.
    pub quotas: BTreeMap<String, Quota>,
}

impl Rights {
    /// Whether a tool that needs these may be used at all.
    #[must_use]
    pub fn hold(&self, needed: &[Capability]) -> bool {
        self.missing(needed).is_none()
    }

    /// The first of these that is not there.
    #[must_use]
    pub fn missing(&self, needed: &[Capability]) -> Option<Capability> {
        needed.iter().copied().find(|right| !self.capabilities.contains(right))
    }
}
