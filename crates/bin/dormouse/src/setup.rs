//! What a home is set up with: its configuration, its templates, and the models that can be asked.

use std::path::Path;

use config::Config;
use runtime::{Known, Models, Setup, Stay};
use types::Problem;

use crate::{models, templates};

/// Reads how a home is set up, before anything of it is opened.
pub(crate) fn of_home(folder: &Path, stay: Stay) -> Result<Setup, Problem> {
    let config = Config::read(folder)?;
    let known = Known { models: config.access().models, providers: config.terms() };
    let usual = Models::default();
    let own = config.models.providers.get(config.models.default.provider());
    let capacity = own.and_then(|provider| provider.context_tokens).unwrap_or(usual.capacity);
    let models = Models {
        default: config.models.default.clone(),
        access: config.access(),
        providers: known.versions(),
        capacity,
        ..usual
    };
    Ok(Setup {
        stay,
        templates: templates::of_home(folder)?,
        model: models::of_home(folder, &config)?,
        models,
        known,
        limits: config.budget.limits,
    })
}
