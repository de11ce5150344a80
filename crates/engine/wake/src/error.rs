//! What can go wrong while waking.

use dispatch::BrokeOff;
use rules::naming::way_out;
use rules::schedule::{NoSuchStep, ScheduleError};
use store::StoreError;
use types::{AgentId, Code, Conflict, Problem};

/// Why a wake was not queued or not run. It stays where it was and is found again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A schedule that cannot be.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// A step that the schedule does not have.
    #[error(transparent)]
    NoSuchStep(#[from] NoSuchStep),
    /// No schedule has that id.
    #[error("there is no schedule {id:?}")]
    UnknownSchedule {
        /// The id.
        id: String,
    },
    /// More than one schedule may be meant.
    #[error("more than one schedule ends with {ending:?}")]
    AmbiguousSchedule {
        /// The end of its id.
        ending: String,
    },
    /// No agent has that id.
    #[error("there is no agent {id:?}")]
    UnknownAgent {
        /// The id.
        id: String,
    },
    /// The agent is over.
    #[error("{agent} is destroyed and takes no schedules any more")]
    Destroyed {
        /// Which.
        agent: AgentId,
    },
    /// The agent has to be resumed first.
    #[error("{agent} is stopped or paused, and its schedules wait until it is resumed")]
    Dormant {
        /// Which.
        agent: AgentId,
    },
    /// Everything is stopped.
    #[error("the kill switch is on")]
    KillSwitch,
    /// The agent has as many schedules as it may.
    #[error("an agent has at most {max} schedules")]
    TooManySchedules {
        /// How many it may have.
        max: usize,
    },
    /// No run of the agent that is not over has that name.
    #[error("{agent} has no such run that is not over")]
    NothingToCancel {
        /// Whose.
        agent: AgentId,
    },
    /// More than one that is not over has.
    #[error("more than one run of {agent} that is not over begins so")]
    AmbiguousRun {
        /// Whose.
        agent: AgentId,
    },
    /// None is under way, and none was named.
    #[error("{agent} has no run under way, and {queued} queued")]
    NoneUnderWay {
        /// Whose.
        agent: AgentId,
        /// How many wait.
        queued: usize,
    },
    /// What a run that is over has left open could not be settled.
    #[error("{}", .0.message)]
    Unsettled(Problem),
    /// A mistake of the program.
    #[error(transparent)]
    BrokeOff(#[from] BrokeOff),
    /// Somebody else has done it meanwhile.
    #[error("somebody else was faster: {0}")]
    Conflict(#[from] Conflict),
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Error {
    /// Whether everything is stopped: then there is nothing wrong, and nothing to do.
    pub(crate) const fn is_stopped(&self) -> bool {
        matches!(self, Error::Conflict(Conflict::Fenced { .. }))
    }

    /// Whether the claim of a turn is over: it was stopped, or a run that it was about to end is over
    /// already at somebody's word.
    pub(crate) const fn is_over(&self) -> bool {
        self.is_stopped() || matches!(self, Error::Conflict(Conflict::Run { .. }))
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let message = error.to_string();
        match error {
            Error::Schedule(ScheduleError::UnknownZone { .. }) => {
                let hint = "use a name such as Europe/Berlin or America/New_York, or `local`";
                Problem::new(Code::UnknownZone, message, hint)
            }
            Error::Schedule(error) => {
                let code = match error {
                    ScheduleError::Backwards { .. } => Code::EndBeforeStart,
                    _ => Code::BadSchedule,
                };
                Problem::new(code, message, schedule_hint(&error))
            }
            Error::Destroyed { .. } => {
                Problem::new(Code::AgentDestroyed, message, "create another agent")
            }
            Error::Dormant { agent } => {
                let hint = format!("resume it first: `dormouse agent resume {agent}`");
                Problem::new(Code::AgentStopped, message, hint)
            }
            Error::KillSwitch => {
                let hint = "lift it with `dormouse kill off`, then ask again";
                Problem::new(Code::KillSwitchOn, message, hint)
            }
            Error::NoSuchStep(_) => {
                let hint = "`dormouse schedule list AGENT` shows where each schedule stands";
                Problem::new(Code::NoSuchStep, message, hint)
            }
            Error::UnknownSchedule { id } => {
                let hint = "`dormouse schedule list AGENT` shows the schedules and their ids";
                Problem::new(Code::UnknownSchedule, message, way_out(&id, hint))
            }
            Error::AmbiguousSchedule { .. } | Error::AmbiguousRun { .. } => {
                Problem::new(Code::AmbiguousReference, message, "write more of the id")
            }
            Error::UnknownAgent { .. } => {
                let hint = "`dormouse agent list` shows the agents and their ids";
                Problem::new(Code::UnknownAgent, message, hint)
            }
            Error::TooManySchedules { .. } => {
                let hint = "disable one first; `dormouse schedule list AGENT` shows them";
                Problem::new(Code::BadSchedule, message, hint)
            }
            Error::NothingToCancel { .. } => {
                let hint = "`dormouse runs AGENT` shows the runs; four or more of its first characters name one";
                Problem::new(Code::UnknownOperation, message, hint)
            }
            Error::NoneUnderWay { .. } => {
                let hint = "`dormouse cancel AGENT --run RUN` takes back one that is queued; \
                            `dormouse runs AGENT` shows them";
                Problem::new(Code::UnknownOperation, message, hint)
            }
            Error::Conflict(conflict) => {
                Problem::new(conflict.code(), message, "nothing is lost; look again")
            }
            Error::Unsettled(problem) => problem,
            Error::BrokeOff(broke_off) => broke_off.into(),
            Error::Store(error) => error.into(),
        }
    }
}

/// The way out of each thing that can be wrong with a schedule.
const fn schedule_hint(error: &ScheduleError) -> &'static str {
    match error {
        ScheduleError::BadCron { .. } => {
            "five fields: minute hour day month weekday, such as \"0 7 * * MON-FRI\""
        }
        ScheduleError::NeverComes { .. } => {
            "choose a day that some year has, or an interval that ends before the year 9999 does"
        }
        ScheduleError::NoRule { .. } => "give it a cron line, or an interval of at least 1 second",
        ScheduleError::EndsTooSoon { .. } => "choose a later end",
        ScheduleError::Backwards { .. } => "turn the two round",
        ScheduleError::TooManySlots { .. } => "ask for a shorter stretch",
        ScheduleError::TooFarBack { .. } => "ask for a stretch that begins later",
        ScheduleError::TooManyRuns { .. } => "let it make up for fewer at once",
        ScheduleError::NotTriggerable { .. }
        | ScheduleError::AlreadyFired
        | ScheduleError::OutsideItsTime { .. } => {
            "it is over; add a new one, or wake the agent with `dormouse wake AGENT`"
        }
        ScheduleError::NotByEvent => "it goes by the clock, not by changes",
        ScheduleError::UnknownZone { .. } => "use a name such as Europe/Berlin, or `local`",
    }
}
