//! Calls: what somebody asks of the program, as a value, so that it can be asked again.

use ingress::Delivery;
use types::{
    AgentId, At, Capability, CategoryId, Commit, ModelRef, OperationId, Predicate, RunKey,
    ScheduleId, TaskId, Token,
};
use wake::CreateSchedule;

/// A stage of life to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LifeStep {
    Pause,
    Stop,
    Resume,
    Destroy,
}

/// What is done to a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScheduleStep {
    Pause,
    Resume,
    Disable,
}

/// What is to be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Undo {
    Operation(OperationId),
    /// All that a run did.
    Run(RunKey),
}

impl Undo {
    /// As the operator names it.
    pub(crate) fn name(self) -> String {
        match self {
            Undo::Operation(id) => id.to_string(),
            Undo::Run(key) => key.to_string(),
        }
    }
}

/// A call.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    NewAgent {
        name: String,
        category: CategoryId,
        request: String,
    },
    NewTender {
        task: TaskId,
        request: String,
    },
    /// Takes back a run of an agent: one by its name, or the one that is under way.
    Cancel {
        agent: AgentId,
        run: Option<RunKey>,
    },
    /// Puts back what was done to the journal.
    Undo {
        what: Undo,
        request: String,
    },
    /// A write to the journal by the operator, or by somebody whom a turn has left behind.
    Write(Commit),
    Subscribe {
        agent: AgentId,
        purpose: String,
        tokens: Vec<Token>,
        predicate: Option<Predicate>,
        active: bool,
    },
    Admit(Delivery),
    Wake {
        agent: AgentId,
        request: String,
        /// The model to ask, if the operator wants another than the agent has.
        model: Option<ModelRef>,
    },
    Hint {
        agent: AgentId,
        delivery: String,
        payload: Option<Vec<u8>>,
    },
    Revoke {
        agent: AgentId,
    },
    NewSchedule(CreateSchedule),
    Schedule {
        id: ScheduleId,
        step: ScheduleStep,
    },
    Trigger {
        id: ScheduleId,
        request: String,
    },
    Backfill {
        id: ScheduleId,
        from: At,
        to: At,
    },
    Life {
        agent: AgentId,
        step: LifeStep,
    },
    Kill {
        on: bool,
    },
    /// Stops a class of tools for everybody, or lets it be used again.
    Tools {
        class: Capability,
        stop: bool,
    },
    /// Agrees to the model that agents ask, or takes that back.
    Consent {
        give: bool,
    },
    Barrier {
        agent: AgentId,
        until: Option<At>,
    },
    JobGone {
        job: String,
    },
}

/// What a call was answered: a name for what it made, or why not.
pub(crate) type Answered = Result<String, types::Problem>;

impl Call {
    /// The name under which asking again has to give the same answer.
    pub(crate) fn request(&self) -> Option<String> {
        match self {
            Call::NewAgent { request, .. } | Call::NewTender { request, .. } => {
                Some(format!("agent {request}"))
            }
            Call::Admit(delivery) => {
                Some(format!("{:?} {} {}", delivery.origin, delivery.agent, delivery.delivery))
            }
            Call::Wake { agent, request, .. } => Some(format!("wake {agent} {request}")),
            Call::Undo { request, .. } => Some(format!("undo {request}")),
            Call::NewSchedule(params) => params.request.as_ref().map(|r| format!("schedule {r}")),
            _ => None,
        }
    }

    /// Whether it starts or stops somebody: such calls are made one after the other, by one person.
    pub(crate) fn is_control(&self) -> bool {
        matches!(
            self,
            Call::Life { .. } | Call::Kill { .. } | Call::Tools { .. } | Call::Consent { .. }
        )
    }
}
