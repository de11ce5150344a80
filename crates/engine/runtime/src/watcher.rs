//! What agents do when they are awake, as long as there is no model to ask: they look.

use dispatch::{Body, Claim, Ending, Turn};
use rules::facts::Relevance;
use types::AgentIdentity;

/// The body of agents that only watch.
pub(crate) struct Watcher;

impl Body for Watcher {
    fn turn(&self, _claim: Claim) -> Turn {
        Box::pin(std::future::ready(Ending::Nothing("only_watching")))
    }
}

/// What an agent's template counts as relevant: to a watcher nothing is ever to be decided.
pub(crate) fn relevance(_agent: &AgentIdentity) -> Relevance {
    Relevance::Nothing
}
