//! What a runtime is set up with.

use std::sync::Arc;

use consent::Known;
use fleet::Templates;
use model::Model;
use rules::trim::Keep;
use turn::Models;
use types::{BudgetLimits, limits};

/// How long this process will be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stay {
    /// As long as one command takes: what is to be done is done at once.
    OneCommand,
    /// Until it is stopped: changes are left to gather for a moment.
    UntilStopped,
}

/// What a runtime is set up with.
#[derive(Clone)]
pub struct Setup {
    /// How long this process will be there.
    pub stay: Stay,
    /// What agents are made from.
    pub templates: Templates,
    /// Who is asked.
    pub model: Arc<dyn Model>,
    /// Which models may be asked, and on what terms.
    pub models: Models,
    /// The models that the operator chose, and the terms of their providers.
    pub known: Known,
    /// What each agent may spend in a day.
    pub limits: BudgetLimits,
    /// Tokens of one tool's answer that go back to a model.
    pub tool_output_tokens: u64,
    /// From which hundredth of that on the operator is told.
    pub warn_at_percent: u64,
    /// Failures in a row that make an agent dormant.
    pub failures_max: u32,
    /// What of the logs is kept.
    pub keep: Keep,
}

impl Setup {
    /// Built-in templates and limits, and this model.
    #[must_use]
    pub fn with(stay: Stay, model: Arc<dyn Model>) -> Setup {
        Setup {
            stay,
            templates: Templates::builtin(),
            model,
            models: Models::default(),
            known: Known::default(),
            limits: BudgetLimits::default(),
            tool_output_tokens: limits::TOOL_OUTPUT_TOKENS,
            warn_at_percent: 80,
            failures_max: limits::FAILURES_IN_A_ROW_MAX,
            keep: Keep::USUAL,
        }
    }
}
