//! A template.

use std::collections::{BTreeMap, BTreeSet};

use rules::facts::Relevance;
use serde::Deserialize;
use types::{BudgetLimits, Capability, Mode, Quota, ReportScope};

/// What an agent is made for: how it is born, and what it follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TemplateKind {
    /// Follows the tasks of a category.
    Watcher,
    /// Tends one task.
    TaskAgent,
}

impl TemplateKind {
    /// The kind as it is written and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TemplateKind::Watcher => "watcher",
            TemplateKind::TaskAgent => "task_agent",
        }
    }

    /// What one has to name to make such an agent.
    #[must_use]
    pub const fn needs(self) -> &'static str {
        match self {
            TemplateKind::Watcher => "category",
            TemplateKind::TaskAgent => "task",
        }
    }
}

/// A template. Only a file makes one, so each that there is has been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Template {
    /// Its name, by which agents remember it.
    pub name: String,
    /// Its version: whatever a model was asked is attributed to it.
    pub version: u32,
    /// For people who choose one.
    pub description: String,
    /// What its agents are made for.
    pub kind: TemplateKind,
    /// How they come to work.
    pub mode: Mode,
    /// What a model is told about its part; empty if none is asked.
    pub role: String,
    /// What is asked of it when it has no report yet.
    pub first_ask: String,
    /// What is asked of it when it looks again.
    pub later_ask: String,
    /// What is asked of it when somebody speaks to it.
    pub prompt_ask: String,
    /// The tools it is offered, in this order.
    pub tools: Vec<String>,
    /// The rights that its agents have.
    pub capabilities: BTreeSet<Capability>,
    /// How often they may call which tool; one that is absent, as often as they like.
    pub quotas: BTreeMap<String, Quota>,
    /// What each of them may spend in a day.
    pub budget_per_day: BudgetLimits,
    /// How often a model may answer in one turn.
    pub rounds_per_turn: u32,
    /// The reports that they keep.
    pub report_scopes: BTreeSet<ReportScope>,
    /// Which changes are worth a turn.
    pub relevance: Relevance,
    /// The file it was read from; absent if it is built in.
    pub file: Option<String>,
    /// The file's text.
    pub text: String,
}
