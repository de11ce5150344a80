//! What there is to agree to.

use std::collections::{BTreeMap, BTreeSet};

use types::{ModelRef, ProviderTerms};

use crate::Error;

/// The models that the operator chose, and the terms of their providers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// The default and its fallbacks.
    pub models: BTreeSet<ModelRef>,
    /// The terms of each provider, by its name.
    pub providers: BTreeMap<String, ProviderTerms>,
}

impl Known {
    /// The version of each provider's terms, by its name.
    #[must_use]
    pub fn versions(&self) -> BTreeMap<String, String> {
        let versions = self.providers.iter();
        versions
            .map(|(name, terms)| (name.clone(), rules::consent::policy_version(terms)))
            .collect()
    }

    /// A model with the terms of its provider.
    pub(crate) fn terms(&self, model: &ModelRef) -> Result<&ProviderTerms, Error> {
        if model.is_builtin() {
            return Err(Error::NotNeeded { model: model.clone() });
        }
        let terms = self.providers.get(model.provider());
        let terms = terms.ok_or_else(|| Error::UnknownProvider { model: model.clone() })?;
        if !self.models.contains(model) {
            return Err(Error::UnknownModel { model: model.clone() });
        }
        Ok(terms)
    }
}
