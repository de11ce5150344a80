//! Who an agent is.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{AgentId, CategoryId, Invalid, RecordId, StateId, TaskId, limits};

use super::{Extension, Lifecycle};

/// How an agent comes to work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Runs on a trigger, then rests.
    Autonomous,
    /// Runs when a person opens a conversation.
    Interactive,
    /// Both.
    Hybrid,
}

/// Which of the three ways of being there an agent has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// The one a request without a name goes to.
    Default,
    /// Made by name.
    Named,
    /// Made by another agent.
    Child,
}

/// Who sees an agent in ordinary listings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody.
    Public,
    /// Its parent, and debugging.
    Private,
}

/// Who answers for an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ownership {
    /// Itself, under the operator.
    SelfOwned,
    /// The agent that made it.
    ParentSupervised,
}

/// The preset of rights and visibility an agent was made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// A public agent with a name.
    PublicNamed,
    /// A private child.
    PrivateChild,
}

/// An agent's configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentConfig {
    /// Version of this structure.
    pub schema_version: u32,
    /// The model chosen for it; absent means the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// The prompt chosen for it; absent means the template's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_id: Option<String>,
    /// What has no field yet.
    #[serde(default)]
    pub extension: Extension,
}

impl Default for AgentConfig {
    fn default() -> AgentConfig {
        AgentConfig {
            schema_version: 1,
            model_id: None,
            prompt_id: None,
            extension: Extension::default(),
        }
    }
}

/// The identity of an agent.
///
/// Created with its state and the link between them in one commit, so that none of the three is
/// ever there alone. Times, revision and clock are the record's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentIdentity {
    /// Its id, again: records travel alone and must say whose they are.
    pub agent_id: AgentId,
    /// The template it was made from.
    pub template: String,
    /// Which way of being there.
    pub kind: AgentKind,
    /// What people call it.
    pub display_name: String,
    /// How it stands in life.
    pub lifecycle: Lifecycle,
    /// How it comes to work.
    pub mode: Mode,
    /// Who sees it.
    pub visibility: Visibility,
    /// Who answers for it.
    pub ownership: Ownership,
    /// The preset it was made with.
    pub profile: Profile,
    /// Its own folder, relative to the home.
    pub agent_home: String,
    /// The agent that made it: for the audit only, it grants and binds nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineage_parent_agent_id: Option<AgentId>,
    /// The task it was made to tend. It never changes, and while this agent lives nobody else tends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    /// The categories it may see. Empty means none. They are its own to keep: a task that moves to
    /// another category does not take its agent along.
    pub allowed_category_ids: BTreeSet<CategoryId>,
    /// Its state record.
    pub current_state_id: StateId,
    /// Its configuration.
    pub config: AgentConfig,
}

impl AgentIdentity {
    pub(crate) fn check(&self, id: &RecordId) -> Result<(), Invalid> {
        if self.agent_id.as_str() != id.as_str() {
            return Err(Invalid::new("agent_id", "is not the record's id"));
        }
        Invalid::unless_text("name", &self.display_name, limits::NAME_BYTES_MAX)?;
        Invalid::unless_text("template", &self.template, limits::NAME_BYTES_MAX)?;
        Invalid::unless_text("agent_home", &self.agent_home, limits::NAME_BYTES_MAX)?;
        let child = self.kind == AgentKind::Child;
        if child && self.lineage_parent_agent_id.is_none() {
            return Err(Invalid::new("lineage_parent_agent_id", "is missing on a child"));
        }
        if child != (self.profile == Profile::PrivateChild) {
            return Err(Invalid::new("profile", "does not fit the agent's kind"));
        }
        self.config.extension.check("config.extension")
    }
}
