//! Which models may be asked, and by whom.

use std::collections::BTreeSet;

use types::{AgentId, CategoryId, ModelRef};

use super::Request;

/// Which models may be asked. What is in no rule may not: nothing is allowed by being forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Access {
    /// Those that the operator chose, for all agents and categories: the default and its fallbacks.
    pub models: BTreeSet<ModelRef>,
    /// Where fewer are allowed.
    pub narrowed: Vec<Narrowing>,
}

/// Fewer models for some. What it leaves out holds for every agent, template or category. It only takes
/// away: a model that the operator did not choose is not allowed by being named here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Narrowing {
    /// For which agent.
    pub agent: Option<AgentId>,
    /// For agents of which template.
    pub kind: Option<String>,
    /// In which category.
    pub category: Option<CategoryId>,
    /// The models that are left.
    pub models: BTreeSet<ModelRef>,
}

impl Access {
    /// Whether the model may be asked by this agent, of this template, in this category.
    #[must_use]
    pub fn allows(&self, request: &Request<'_>) -> bool {
        let narrowed = self.narrowed.iter().filter(|narrowing| narrowing.covers(request));
        self.models.contains(request.model)
            && narrowed.into_iter().all(|left| left.models.contains(request.model))
    }
}

impl Narrowing {
    /// One that names a category covers what belongs to none as well: it could be from there.
    fn covers(&self, request: &Request<'_>) -> bool {
        self.agent.as_ref().is_none_or(|agent| agent == request.agent)
            && self.kind.as_ref().is_none_or(|kind| kind == request.kind)
            && match (&self.category, request.category) {
                (Some(named), Some(category)) => named == category,
                (_, None) | (None, _) => true,
            }
    }
}
