//! Which models may be asked.

use std::collections::BTreeMap;

use policy::inference::Narrowing;
use types::{AgentId, CategoryId, ModelRef};

use crate::section::{Section, Wrong};
use crate::{Provider, key};

/// Which models may be asked, and how their providers are reached.
#[derive(Debug, Clone, PartialEq)]
pub struct Models {
    /// The model that is asked.
    pub default: ModelRef,
    /// The model that is asked what somebody means; rules say it, if there is none.
    pub fast: Option<ModelRef>,
    /// Those that may be asked besides. Nothing changes to one of them by itself yet.
    pub fallback: Vec<ModelRef>,
    /// Where fewer are allowed.
    pub access: Vec<Narrowing>,
    /// The providers, by name.
    pub providers: BTreeMap<String, Provider>,
}

impl Default for Models {
    fn default() -> Models {
        Models {
            default: ModelRef::scribe(),
            fast: None,
            fallback: vec![],
            access: vec![],
            providers: BTreeMap::new(),
        }
    }
}

impl Models {
    pub(crate) fn of(section: &Section<'_>) -> Result<Models, Wrong> {
        section.only(&["default", "fast", "fallback", "access", "providers"])?;
        let access = section.list("access")?;
        Ok(Models {
            default: section.parsed("default", key::model)?.unwrap_or_else(ModelRef::scribe),
            fast: section.parsed("fast", fast)?,
            fallback: section.models("fallback")?,
            access: access.iter().map(narrowing).collect::<Result<_, _>>()?,
            providers: providers(section)?,
        })
    }
}

/// A model that is asked what somebody means: the built-in one would go by the rules that hold without it.
fn fast(text: &str) -> Result<ModelRef, String> {
    let model = key::model(text)?;
    match model.is_builtin() {
        true => {
            Err("is a model of a provider; without it, rules say what somebody means".to_owned())
        }
        false => Ok(model),
    }
}

fn providers(models: &Section<'_>) -> Result<BTreeMap<String, Provider>, Wrong> {
    let Some(section) = models.section("providers")? else { return Ok(BTreeMap::new()) };
    let mut providers = BTreeMap::new();
    for (name, provider) in section.sections()? {
        if name == "builtin" {
            return Err(section.refuse(&name, "is part of Dormouse and not configured"));
        }
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if name.is_empty() || !name.bytes().all(plain) {
            return Err(section.refuse(&name, "is not a name of letters, digits, - and _"));
        }
        providers.insert(name, Provider::of(&provider)?);
    }
    Ok(providers)
}

fn narrowing(section: &Section<'_>) -> Result<Narrowing, Wrong> {
    section.only(&["agent", "kind", "category", "models"])?;
    let agent = |text: &str| text.parse::<AgentId>().map_err(|_| "is not an agent's id".to_owned());
    let category = |text: &str| {
        text.parse::<CategoryId>().map_err(|_| {
            "is not a category's id; `dormouse category list --json` shows them".to_owned()
        })
    };
    Ok(Narrowing {
        agent: section.parsed("agent", agent)?,
        kind: section.text("kind")?,
        category: section.parsed("category", category)?,
        models: section.models("models")?.into_iter().collect(),
    })
}
