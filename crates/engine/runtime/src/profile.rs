//! From templates to what agents do in their turns.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fleet::{Template, Templates};
use memory::UPDATE_REPORT;
use policy::Rights;
use turn::{Part, PartOf, Profile};
use types::AgentIdentity;

/// The part of each agent, by its template. Made once: it is asked for at every wake.
pub(crate) fn part_of(templates: &Templates) -> PartOf {
    let parts: BTreeMap<String, Part> =
        templates.all().map(|template| (template.name.clone(), part(template))).collect();
    Arc::new(move |agent: &AgentIdentity| {
        parts.get(&agent.template).cloned().unwrap_or(Part::Unknown)
    })
}

fn part(template: &Template) -> Part {
    // A template that says nothing to a model asks none.
    if template.role.is_empty() {
        return Part::Watches;
    }
    Part::Acts(Arc::new(Profile {
        prompt_id: template.name.clone(),
        prompt_version: template.version,
        role: template.role.clone(),
        first_ask: template.first_ask.clone(),
        later_ask: template.later_ask.clone(),
        prompt_ask: template.prompt_ask.clone(),
        tools: template.tools.clone(),
        rights: Rights {
            capabilities: template.capabilities.clone(),
            quotas: template.quotas.clone(),
            // A turn may call what it was offered.
            ..Rights::default()
        },
        reports: match template.tools.iter().any(|tool| tool == UPDATE_REPORT) {
            true => template.report_scopes.clone(),
            false => BTreeSet::new(),
        },
        limits: template.budget_per_day,
        rounds_max: template.rounds_per_turn,
    }))
}
