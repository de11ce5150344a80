//! The values.

use std::collections::BTreeMap;

use policy::inference::Access;
use types::ProviderTerms;

use crate::{Budget, Models};

/// What a home is configured with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    /// Which models, and how they are reached.
    pub models: Models,
    /// What agents may spend.
    pub budget: Budget,
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
