//! The values.

use std::collections::BTreeMap;

use policy::inference::Access;
use types::{ProviderTerms, limits};

use crate::{Budget, Models, ToolOutput};

/// What a home is configured with.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Which models, and how they are reached.
    pub models: Models,
    /// What agents may spend.
    pub budget: Budget,
    /// How much of a tool's answer goes back to a model.
    pub tool_output: ToolOutput,
    /// Failures in a row that make an agent dormant.
    pub failures_max: u32,
}

impl Default for Config {
    fn default() -> Config {
        let (models, budget, tool_output) = Default::default();
        Config { models, budget, tool_output, failures_max: limits::FAILURES_IN_A_ROW_MAX }
    }
}

impl Config {
    /// Which models may be asked, and by whom.
    #[must_use]
    pub fn access(&self) -> Access {
        let models = &self.models;
        let chosen = models.fallback.iter().chain([&models.default]);
        Access { models: chosen.cloned().collect(), narrowed: models.access.clone() }
    }

    /// The terms of each provider, by its name.
    #[must_use]
    pub fn terms(&self) -> BTreeMap<String, ProviderTerms> {
        let providers = self.models.providers.iter();
        providers.map(|(name, provider)| (name.clone(), provider.terms(name))).collect()
    }
}
