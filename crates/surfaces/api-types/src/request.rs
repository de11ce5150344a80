//! What can be asked.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use types::{At, Overlap};

use crate::{ImportParams, JournalLook, SessionCall};

/// A request. One word from here to the store: the same name is the service's method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Looks at the journal.
    Look(JournalLook),
    /// Changes the journal by one of its verbs: the same ones that agents have as tools, and a few that
    /// are the operator's alone.
    Do {
        /// Which verb.
        verb: String,
        /// Its arguments.
        arguments: Value,
        /// The same again answers as before and changes nothing.
        #[serde(default)]
        request_id: Option<String>,
        /// Only say what would be done.
        #[serde(default)]
        preview: bool,
    },
    /// Puts back what an operation, or a run, did to the journal.
    Undo {
        /// Which operation or run: its id, or the beginning of it; or `last`, for the last thing that the
        /// operator did and did not undo.
        what: String,
        /// The same again answers as before and changes nothing.
        #[serde(default)]
        request_id: Option<String>,
    },
    /// Brings a file into the journal: one that fits into a request, or the last piece of a larger one.
    Import(ImportParams),
    /// Sends a piece of a file that does not fit into one request. Nothing of it counts before the last
    /// piece has come.
    ImportPiece {
        /// Under which name the pieces before it came; absent for the first.
        #[serde(default)]
        upload: Option<String>,
        /// How many came before it.
        piece: usize,
        /// The piece.
        text: String,
    },
    /// Creates an agent.
    AgentCreate {
        /// From which template.
        template: String,
        /// The category it follows, if it is made for one.
        #[serde(default)]
        category: Option<String>,
        /// The task it tends, if it is made for one.
        #[serde(default)]
        task: Option<String>,
        /// What people call it.
        #[serde(default)]
        name: Option<String>,
        /// The same again gives the same agent.
        #[serde(default)]
        request_id: Option<String>,
    },
    /// What agents are made from.
    TemplateList {},
    /// One template, with its file.
    TemplateGet {
        /// Which.
        template: String,
    },
    /// One agent.
    AgentGet {
        /// Which.
        agent: String,
    },
    /// All agents that live, newest first, and behind them the destroyed ones, as far as a thousand have room.
    AgentList {},
    /// An agent's runs, newest first.
    RunList {
        /// Whose.
        agent: String,
        /// At most this many.
        limit: usize,
    },
    /// What happened to an agent, oldest first.
    EventList {
        /// Whose.
        agent: String,
        /// After which number; the newest are answered with if absent.
        #[serde(default)]
        after: Option<u64>,
        /// At most this many.
        limit: usize,
    },
    /// Ends a run of an agent for good.
    RunCancel {
        /// Whose.
        agent: String,
        /// Its name, or the beginning of it; the one that is under way, if absent.
        #[serde(default)]
        run: Option<String>,
    },
    /// The report of an agent that stands.
    Report {
        /// Whose.
        agent: String,
        /// `current`, `daily`, `weekly` or `monthly`; the first if absent.
        #[serde(default)]
        scope: Option<String>,
    },
    /// The reports that rest on a record: the newest of each agent, or those of one agent, newest first.
    Reports {
        /// The record, by its id or the last characters of it.
        about: String,
        /// Whose, if not everybody's; then also those that stand no longer.
        #[serde(default)]
        agent: Option<String>,
        /// At most this many.
        limit: usize,
    },
    /// Runs what is queued.
    WakeDrain {},
    /// Asks an agent to look again.
    Wake {
        /// Which.
        agent: String,
        /// The same again is the same run.
        #[serde(default)]
        request_id: Option<String>,
        /// The model to ask, if it is to be another than the agent's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
    },
    /// Runs a past run once more, as a run of its own.
    RunAgain {
        /// Whose.
        agent: String,
        /// Its name, or the beginning of it; the last that is over, if absent.
        #[serde(default)]
        run: Option<String>,
        /// The same again is the same new run.
        #[serde(default)]
        request_id: Option<String>,
        /// Wait for its end, at most for so many milliseconds, and say what came of it.
        #[serde(default)]
        wait_ms: Option<u64>,
        /// The model to ask, if it is to be another than the agent's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
    },
    /// Says something to an agent.
    Prompt(PromptParams),
    /// Follows a run: tells of it while it is under way, and what came of it when it is over.
    RunFollow {
        /// Whose.
        agent: String,
        /// Its name, or the beginning of it; the one that is under way if absent, or the last.
        #[serde(default)]
        run: Option<String>,
        /// Only what comes after this piece of it.
        #[serde(default)]
        after: Option<String>,
        /// At most for so many milliseconds.
        #[serde(default)]
        wait_ms: Option<u64>,
    },
    /// Something about sessions and conversations.
    Session(SessionCall),
    /// Goes through a past turn again: nothing is asked, done or written.
    Replay {
        /// Whose.
        agent: String,
        /// The name of its run, or the beginning of it; the last that took a turn if absent.
        #[serde(default)]
        run: Option<String>,
    },
    /// What an agent's model is asked with.
    DebugPrompt {
        /// Whose.
        agent: String,
    },
    /// Stops an agent until it is resumed.
    AgentPause {
        /// Which.
        agent: String,
    },
    /// Stops an agent and refuses everything for it until it is resumed.
    AgentStop {
        /// Which.
        agent: String,
    },
    /// Lets a dormant agent go on.
    AgentResume {
        /// Which.
        agent: String,
    },
    /// Ends an agent for good.
    AgentDestroy {
        /// Which.
        agent: String,
    },
    /// Throws or lifts the kill switch.
    Kill {
        /// Throws it.
        on: bool,
        /// Only for tools that need this capability; for everything if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tools: Option<String>,
    },
    /// How the kill switch stands.
    KillGet {},
    /// How the providers of models stand.
    ProviderList {},
    /// What would be agreed to with a model.
    ConsentTerms {
        /// Which, as `provider/model`.
        model: String,
    },
    /// Agrees to a model under the terms as they are now.
    ConsentGrant {
        /// Which.
        model: String,
        /// The version that was shown; another one is refused.
        #[serde(default)]
        policy_version: Option<String>,
    },
    /// Every receipt, newest first.
    ConsentList {},
    /// Takes back what was agreed to about a model.
    ConsentRevoke {
        /// Which.
        model: String,
    },
    /// Copies the files of the home into a new folder, while everything goes on. Only for programs of the
    /// same person on the same machine: it writes where it is told to.
    Backup {
        /// Which folder; a whole path, because a server has another working folder than whoever asks it.
        into: String,
    },
    /// Creates a schedule.
    ScheduleCreate(ScheduleParams),
    /// The schedules of an agent.
    ScheduleList {
        /// Whose.
        agent: String,
    },
    /// One schedule with what became of its slots.
    ScheduleGet {
        /// Which.
        schedule: String,
    },
    /// Stops a schedule until it is resumed.
    SchedulePause {
        /// Which.
        schedule: String,
    },
    /// Lets a paused schedule come round again.
    ScheduleResume {
        /// Which.
        schedule: String,
    },
    /// Ends a schedule for good.
    ScheduleDisable {
        /// Which.
        schedule: String,
    },
    /// Brings a schedule round now.
    ScheduleTrigger {
        /// Which.
        schedule: String,
        /// The same again is the same occurrence.
        #[serde(default)]
        request_id: Option<String>,
    },
    /// Runs the slots of a stretch of the past.
    ScheduleBackfill {
        /// Which.
        schedule: String,
        /// From when.
        from: At,
        /// Until when.
        to: At,
    },
}

/// What is said to an agent, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptParams {
    /// To which.
    pub agent: String,
    /// What.
    pub text: String,
    /// In which session; it is started if there is none of that name.
    #[serde(default)]
    pub session: Option<String>,
    /// The same again is the same run.
    #[serde(default)]
    pub request_id: Option<String>,
    /// Wait for its end, at most for so many milliseconds, and say what came of it.
    #[serde(default)]
    pub wait_ms: Option<u64>,
    /// Tell of it while it is under way too; on the local socket, each piece is a line of its own
    /// before the answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follow: bool,
    /// Throw it into the turn that is under way, at its next step; without one it comes before all that waits.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interject: bool,
    /// The model to ask, if it is to be another than the agent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl Request {
    /// Whether it waits for something that may take long: nobody need wait for that who does not want to hear
    /// of it any more.
    #[must_use]
    pub fn waits(&self) -> bool {
        matches!(
            self,
            Request::Prompt(PromptParams { wait_ms: Some(_), .. })
                | Request::RunAgain { wait_ms: Some(_), .. }
                | Request::RunFollow { .. }
                | Request::WakeDrain {}
        )
    }

    /// Whether there is something to be told while it is under way.
    #[must_use]
    pub fn comes_in_pieces(&self) -> bool {
        matches!(self, Request::Prompt(_) | Request::RunFollow { .. })
    }

    /// Whether whoever asks wants to be told while it is under way.
    #[must_use]
    pub fn follows(&self) -> bool {
        matches!(
            self,
            Request::Prompt(PromptParams { follow: true, .. }) | Request::RunFollow { .. }
        )
    }
}

/// What a new schedule is made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleParams {
    /// Whose.
    pub agent: String,
    /// What to call it; by default, what it goes by.
    #[serde(default)]
    pub label: Option<String>,
    /// Five fields: minute, hour, day of month, month, day of week.
    #[serde(default)]
    pub cron: Option<String>,
    /// Seconds between two slots.
    #[serde(default)]
    pub every_seconds: Option<u64>,
    /// The zone of its wall clock; `local` is the host's own.
    #[serde(default)]
    pub zone: Option<String>,
    /// `allow`, `forbid` or `replace`.
    #[serde(default)]
    pub overlap: Option<Overlap>,
    /// Make up for what was missed, by one wake.
    #[serde(default)]
    pub catch_up: bool,
    /// Ends after its first occurrence.
    #[serde(default)]
    pub once: bool,
    /// Wakes its agent even if nothing relevant changed.
    #[serde(default)]
    pub always: bool,
    /// No slot after this.
    #[serde(default)]
    pub ends_at: Option<At>,
    /// The same again gives the same schedule.
    #[serde(default)]
    pub request_id: Option<String>,
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
