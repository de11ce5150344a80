//! What can be asked.

use serde::{Deserialize, Serialize};

/// A request. One word from here to the store: the same name is the service's method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Creates a task.
    TaskCreate {
        /// What is to be done.
        title: String,
        /// The name of its category.
        category: String,
        /// The same again gives the same task.
        #[serde(default)]
        request_id: Option<String>,
    },
    /// One task.
    TaskGet {
        /// Which.
        task: String,
    },
    /// Tasks, newest first.
    TaskList {
        /// Of this category only.
        #[serde(default)]
        category: Option<String>,
    },
    /// All categories.
    CategoryList,
    /// Creates an agent.
    AgentCreate {
        /// From which template.
        template: String,
        /// The category it watches.
        category: String,
        /// What people call it.
        #[serde(default)]
        name: Option<String>,
        /// The same again gives the same agent.
        #[serde(default)]
        request_id: Option<String>,
    },
    /// One agent.
    AgentGet {
        /// Which.
        agent: String,
    },
    /// Every agent that ever was.
    AgentList,
    /// An agent's runs, newest first.
    RunList {
        /// Whose.
        agent: String,
        /// At most this many.
        limit: usize,
    },
    /// Runs what is queued.
    WakeDrain,
}
