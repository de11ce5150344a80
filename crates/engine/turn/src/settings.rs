//! How turns are set up.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use context::Bounds;
use model::Generation;
use policy::Rights;
use policy::inference::Access;
use types::{AgentIdentity, BudgetLimits, ModelRef, ReportScope, limits};

/// What an agent's template comes to in a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Which prompt.
    pub prompt_id: String,
    /// In which version.
    pub prompt_version: u32,
    /// What the agent is for, in the prompt's words.
    pub role: String,
    /// What is asked of it on its first wake.
    pub first_ask: String,
    /// What is asked of it on a later one.
    pub later_ask: String,
    /// What is asked of it when somebody speaks to it.
    pub prompt_ask: String,
    /// The tools it is offered, always in this order. It calls no others.
    pub tools: Vec<String>,
    /// What it may use.
    pub rights: Rights,
    /// The reports that it keeps.
    pub reports: BTreeSet<ReportScope>,
    /// What it may spend in a day, if that is less than anybody may.
    pub limits: BudgetLimits,
    /// Answers of a model in one turn at most.
    pub rounds_max: u32,
}

impl Profile {
    /// The report that it is shown, if it keeps any: that of the shortest time.
    pub(crate) fn main_report(&self) -> Option<ReportScope> {
        self.reports.first().copied()
    }
}

/// What an agent does when it is awake.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// It takes turns.
    Acts(Arc<Profile>),
    /// It only watches: no model is ever asked.
    Watches,
    /// Nobody knows: its template is gone.
    Unknown,
}

/// The part of each agent.
pub type PartOf = Arc<dyn Fn(&AgentIdentity) -> Part + Send + Sync>;

/// Which models may be asked, and on what terms.
#[derive(Debug, Clone)]
pub struct Models {
    /// The model for agents that have no other.
    pub default: ModelRef,
    /// The model that is asked what somebody means; rules say it, if there is none.
    pub fast: Option<ModelRef>,
    /// Which may be asked at all.
    pub access: Access,
    /// The providers that are configured, each with the version of its terms.
    pub providers: BTreeMap<String, String>,
    /// How the models of each provider are used, where that is not as usual.
    pub deployments: BTreeMap<String, Deployment>,
    /// How all others are used.
    pub usual: Deployment,
}

/// How the models of a provider are used.
#[derive(Debug, Clone, PartialEq)]
pub struct Deployment {
    /// Tokens that prompt and answer may have together.
    pub capacity: u64,
    /// How answers are made.
    pub generation: Generation,
}

impl Default for Deployment {
    fn default() -> Deployment {
        Deployment { capacity: limits::CONTEXT_TOKENS, generation: Generation::default() }
    }
}

impl Models {
    /// How a model is used.
    #[must_use]
    pub fn deployment(&self, model: &ModelRef) -> &Deployment {
        self.deployments.get(model.provider()).unwrap_or(&self.usual)
    }
}

impl Default for Models {
    fn default() -> Models {
        let default = ModelRef::scribe();
        let access = Access { models: [default.clone()].into(), narrowed: vec![] };
        Models {
            default,
            fast: None,
            access,
            providers: BTreeMap::new(),
            deployments: BTreeMap::new(),
            usual: Deployment::default(),
        }
    }
}

/// How turns are set up.
#[derive(Clone)]
pub struct Settings {
    /// What each agent's template comes to.
    pub part: PartOf,
    /// Which models may be asked.
    pub models: Models,
    /// What each agent may spend in a day.
    pub limits: BudgetLimits,
    /// From which hundredth of a limit on the operator is told.
    pub warn_at_percent: u64,
    /// How much of everything goes into a prompt.
    pub bounds: Bounds,
    /// Tokens of one tool's answer that go back to a model.
    pub tool_output_tokens: u64,
    /// Failures in a row that make an agent dormant.
    pub failures_max: u32,
}
