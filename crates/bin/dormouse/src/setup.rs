//! What a home is set up with: its configuration, its templates, and the models that can be asked.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use config::Config;
use policy::inference::{Access, Narrowing};
use runtime::{Deployment, Known, Models, Setup, Stay, Template, Templates};
use scribe::Scribe;
use types::{Code, Problem};

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
    let models = Models {
        default: config.models.default.clone(),
        access: narrowed(config.access(), &templates)?,
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
    })
}

/// Which models may be asked, with fewer for agents of each template that is meant. A narrowing that means nobody
/// would narrow nothing, and nobody would notice.
fn narrowed(access: Access, templates: &Templates) -> Result<Access, Problem> {
    let mut narrowed = Vec::new();
    for narrowing in access.narrowed {
        let Some(kind) = &narrowing.kind else {
            narrowed.push(narrowing);
            continue;
        };
        let is_meant = |one: &&Template| one.name == *kind || one.kind.as_str() == kind;
        let meant: Vec<&Template> = templates.all().filter(is_meant).collect();
        if meant.is_empty() {
            let names: Vec<&str> = templates.all().map(|one| one.name.as_str()).collect();
            let message = format!(
                "{}: [[models.access]] is for agents of the kind {kind:?}, and no template is called so",
                config::FILE
            );
            let hint = format!("it is one of {}", names.join(", "));
            return Err(Problem::new(Code::BadConfig, message, hint));
        }
        let of = |one: &Template| Narrowing { kind: Some(one.name.clone()), ..narrowing.clone() };
        narrowed.extend(meant.into_iter().map(of));
    }
    Ok(Access { narrowed, ..access })
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
