//! What can go wrong with agents.

use rules::lifecycle::NoSuchStep;
use rules::naming::way_out;
use rules::predicate::PredicateError;
use store::StoreError;
use types::{AgentId, Code, Conflict, Lifecycle, Problem, TaskId};

use crate::TemplateKind;

/// Why the fleet did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No template has that name.
    #[error("there is no template {name:?}")]
    UnknownTemplate {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// The template is made for something else than was named.
    #[error("an agent of the template {template} is made for a {needs}", needs = .kind.needs())]
    OtherSubject {
        /// Which template.
        template: String,
        /// Of which kind.
        kind: TemplateKind,
    },
    /// There is no such task to tend.
    #[error("there is no task {task}")]
    UnknownTask {
        /// Which.
        task: TaskId,
    },
    /// Somebody tends the task already.
    #[error("{agent} tends {task} already")]
    AgentExists {
        /// Who.
        agent: AgentId,
        /// Which task.
        task: TaskId,
    },
    /// An agent without its task cannot go on.
    #[error("{agent} cannot be resumed: its task {task} is gone")]
    TaskGone {
        /// Which agent.
        agent: AgentId,
        /// Which task.
        task: TaskId,
    },
    /// No agent has that id.
    #[error("there is no agent {id:?}")]
    UnknownAgent {
        /// The id.
        id: String,
    },
    /// The ids of several agents end so.
    #[error("more than one agent ends with {ending:?}")]
    AmbiguousAgent {
        /// How.
        ending: String,
    },
    /// A step that life does not have.
    #[error(transparent)]
    NoSuchStep(#[from] NoSuchStep),
    /// A predicate over something that no record has.
    #[error(transparent)]
    Predicate(#[from] PredicateError),
    /// Something newer stands in the way.
    #[error("the agent has changed meanwhile: {0}")]
    Conflict(#[from] Conflict),
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let message = error.to_string();
        match error {
            Error::UnknownTemplate { known, .. } => {
                let hint = format!("the templates are: {}", known.join(", "));
                Problem::new(Code::UnknownTemplate, message, hint)
            }
            Error::OtherSubject { kind, .. } => {
                let hint = match kind {
                    TemplateKind::Watcher => "name it with `--category NAME`",
                    TemplateKind::TaskAgent => "name it with `--task TASK`",
                };
                Problem::new(Code::WrongUsage, message, hint)
            }
            Error::UnknownTask { .. } => {
                let hint = "`dormouse task list` shows the tasks and their ids";
                Problem::new(Code::UnknownTask, message, hint)
            }
            Error::AgentExists { agent, .. } => {
                let hint = format!("`dormouse agent show {agent}` shows it");
                Problem::new(Code::AgentExists, message, hint)
            }
            Error::TaskGone { .. } => {
                let hint =
                    "bring the task back, with `dormouse undo` for one, or destroy the agent";
                Problem::new(Code::UnknownTask, message, hint)
            }
            Error::UnknownAgent { id } => {
                let hint = "`dormouse agent list` shows the agents and their ids";
                Problem::new(Code::UnknownAgent, message, way_out(&id, hint))
            }
            Error::AmbiguousAgent { .. } => {
                Problem::new(Code::AmbiguousReference, message, "write more of the id")
            }
            Error::NoSuchStep(NoSuchStep { from: Lifecycle::Destroyed { .. }, .. }) => {
                Problem::new(Code::AgentDestroyed, message, "create another agent")
            }
            Error::NoSuchStep(_) => {
                let hint = "`dormouse agent show AGENT` says where it stands";
                Problem::new(Code::NoSuchStep, message, hint)
            }
            Error::Predicate(PredicateError::UnknownProperty { known, .. }) => {
                let hint = format!("the properties are: {}", known.join(", "));
                Problem::new(Code::UnknownField, message, hint)
            }
            Error::Predicate(PredicateError::UnknownKind { .. }) => {
                Problem::new(Code::UnknownField, message, "a kind is written like TASK")
            }
            Error::Conflict(conflict) => {
                Problem::new(conflict.code(), message, "look at it again, then decide again")
            }
            Error::Store(error) => error.into(),
        }
    }
}
