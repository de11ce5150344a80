//! What a home is set up with: its configuration, its templates, and the models that can be asked.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use config::Config;
use runtime::{Deployment, Keep, Known, Models, Setup, Stay, Templates};
use scribe::Scribe;
use types::Problem;

use crate::{models, templates};

/// Whether somebody has written anything of how a home is set up.
pub(crate) fn is_there(folder: &Path) -> bool {
    [config::FILE, models::PRICES, templates::FOLDER].iter().any(|name| folder.join(name).exists())
}

/// Reads how a home is set up, before anything of it is opened.
pub(crate) fn of_home(folder: &Path, stay: Stay) -> Result<Setup, Problem> {
    let config = Config::read(folder)?;
    let known = Known { models: config.access().models, providers: config.terms() };
    let templates = templates::of_home(folder)?;
    let kinds = templates.all().map(|one| (one.name.as_str(), one.kind.as_str()));
    let models = Models {
        default: config.models.default.clone(),
        fast: config.models.fast.clone(),
        access: config.access_by(&kinds.collect::<Vec<_>>())?,
        providers: known.versions(),
        deployments: deployments(&config),
        ..Models::default()
    };
    let tool_output = config.tool_output.or_as_told(|name| std::env::var(name).ok())?;
    Ok(Setup {
        stay,
        templates,
        model: models::of_home(folder, &config)?,
        models,
        known,
        limits: config.budget.limits,
        tool_output_tokens: tool_output.tokens(),
        warn_at_percent: config.budget.warn_at_percent,
        failures_max: config.failures_max,
        keep: Keep { days: config.changes_kept_days, ..Keep::USUAL },
    })
}

/// What a home is set up with for whoever needs only its files. There are no templates: to agents whose
/// template is not known everything is relevant, so that no change is passed over meanwhile.
pub(crate) fn bare(stay: Stay) -> Setup {
    Setup { templates: Templates::none(), ..Setup::with(stay, Arc::new(Scribe)) }
}

/// How the models of each provider are used.
fn deployments(config: &Config) -> BTreeMap<String, Deployment> {
    let deployment = |provider: &config::Provider| Deployment {
        capacity: provider.context_tokens.unwrap_or(Deployment::default().capacity),
        generation: provider.generation.clone(),
    };
    let providers = config.models.providers.iter();
    providers.map(|(name, provider)| (name.clone(), deployment(provider))).collect()
}
