//! What a profile allows.

use std::collections::{BTreeMap, BTreeSet};

use types::{Capability, Quota};

/// What an agent may use, and how often. It follows from the agent's template, never from what woke it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rights {
    /// What its profile holds.
    pub capabilities: BTreeSet<Capability>,
    /// The tools it was offered, if it was: then it calls no others, whatever its capabilities would cover.
    pub tools: Option<BTreeSet<String>>,
    /// How often it may call which tool; one that is absent, as often as it likes.
    pub quotas: BTreeMap<String, Quota>,
}

impl Rights {
    /// Whether a tool that needs these may be used at all.
    #[must_use]
    pub fn hold(&self, needed: &[Capability]) -> bool {
        self.missing(needed).is_none()
    }

    /// Whether a tool is among those that were offered.
    #[must_use]
    pub fn offer(&self, tool: &str) -> bool {
        self.tools.as_ref().is_none_or(|tools| tools.contains(tool))
    }

    /// The first of these that is not there.
    #[must_use]
    pub fn missing(&self, needed: &[Capability]) -> Option<Capability> {
        needed.iter().copied().find(|right| !self.capabilities.contains(right))
    }
}
