//! The values.

use std::collections::BTreeMap;

use policy::inference::{Access, Narrowing};
use types::{ProviderTerms, limits};

use crate::{Budget, Error, Models, ToolOutput};

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
    /// Days for which a change stays in the log.
    pub changes_kept_days: u32,
}

impl Default for Config {
    fn default() -> Config {
        let (models, budget, tool_output) = Default::default();
        Config {
            models,
            budget,
            tool_output,
            failures_max: limits::FAILURES_IN_A_ROW_MAX,
            changes_kept_days: limits::CHANGES_KEPT_DAYS,
        }
    }
}

impl Config {
    /// Which models may be asked, and by whom.
    #[must_use]
    pub fn access(&self) -> Access {
        let models = &self.models;
        let chosen = models.fallback.iter().chain(&models.fast).chain([&models.default]);
        Access { models: chosen.cloned().collect(), narrowed: models.access.clone() }
    }

    /// The same, with fewer models for agents of each template that is meant by its name or by its kind.
    ///
    /// # Errors
    /// If none is meant: such a narrowing narrows nothing, and nobody would notice.
    pub fn access_by(&self, templates: &[(&str, &str)]) -> Result<Access, Error> {
        let (access, mut narrowed) = (self.access(), Vec::new());
        for narrowing in access.narrowed {
            let Some(kind) = narrowing.kind.as_deref() else {
                narrowed.push(narrowing);
                continue;
            };
            let meant = templates.iter().filter(|(name, of)| [*name, *of].contains(&kind));
            let before = narrowed.len();
            narrowed.extend(meant.map(|(name, _)| {
                let kind = Some((*name).to_owned());
                Narrowing { kind, ..narrowing.clone() }
            }));
            if narrowed.len() == before {
                let known: Vec<&str> = templates.iter().map(|(name, _)| *name).collect();
                return Err(Error::MeansNobody { kind: kind.to_owned(), known: known.join(", ") });
            }
        }
        Ok(Access { narrowed, ..access })
    }

    /// The terms of each provider, by its name.
    #[must_use]
    pub fn terms(&self) -> BTreeMap<String, ProviderTerms> {
        let providers = self.models.providers.iter();
        providers.map(|(name, provider)| (name.clone(), provider.terms(name))).collect()
    }
}
