//! What the book holds.

use std::collections::{BTreeMap, BTreeSet};

use types::{
    AgentId, BudgetLimits, Capability, CategoryId, Epoch, ModelRef, Position, RecordId, RunDraft,
    RunKey, Schedule, ScheduleId, SlotName, Subscription, Task, TriggerId, Wait,
};

use super::deeds::Deeds;
use super::failures::{FailedBook, Waived};
use super::undos::Undos;
use crate::figures::Figures;
use crate::violation::Violation;

/// An agent.
#[derive(Debug, Clone)]
pub(crate) struct AgentBook {
    pub(crate) id: AgentId,
    /// Whether it decides anything; otherwise it only watches.
    pub(crate) keeper: bool,
    pub(crate) dormant: bool,
    pub(crate) destroyed: bool,
    /// The task that it tends, if it takes turns with a model.
    pub(crate) tends: Option<RecordId>,
    /// The categories that it may look into.
    pub(crate) sees: BTreeSet<CategoryId>,
}

impl AgentBook {
    /// What it is, in a word.
    pub(crate) fn kind(&self) -> &'static str {
        match (self.tends.is_some(), self.keeper) {
            (true, _) => "tender",
            (false, true) => "keeper",
            (false, false) => "watcher",
        }
    }
}

/// A task.
#[derive(Debug, Clone)]
pub(crate) struct TaskBook {
    pub(crate) task: Task,
    pub(crate) live: bool,
    /// The categories that it ever lay in.
    pub(crate) lay_in: BTreeSet<CategoryId>,
}

/// A change that an agent has to hear of.
#[derive(Debug, Clone)]
pub(crate) struct Need {
    pub(crate) agent: AgentId,
    pub(crate) position: Position,
    pub(crate) subscription: RecordId,
    /// When it was applied, in commits.
    pub(crate) order: u64,
    /// Whether a turn has to see it; otherwise a look is enough.
    pub(crate) by_turn: bool,
}

/// What a completed run looked through.
#[derive(Debug, Clone)]
pub(crate) struct Range {
    pub(crate) agent: AgentId,
    pub(crate) run: RunKey,
    pub(crate) from: Position,
    pub(crate) to: Position,
    pub(crate) order: u64,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndKind {
    Completed,
    Sleeping,
    Destroyed,
    Failed,
    /// Failed at somebody's word.
    Cancelled,
}

/// A run.
#[derive(Debug, Clone)]
pub(crate) struct RunBook {
    pub(crate) draft: RunDraft,
    pub(crate) begun: bool,
    /// When it was last begun, in commits.
    pub(crate) began_at: u64,
    pub(crate) ended: Option<(u64, EndKind)>,
    /// What its newest turn was shown: positions of the journal.
    pub(crate) shown: Option<Vec<Position>>,
    /// Up to where the log had been let go, if its newest turn was told that it has missed something.
    pub(crate) missed: Option<Position>,
    /// What the prompt that a turn of it has recorded tells of: whoever takes it up again goes on with that, whatever
    /// it is given.
    pub(crate) recorded: Option<Vec<Position>>,
}

/// A hint that was taken.
#[derive(Debug, Clone)]
pub(crate) struct HintBook {
    pub(crate) agent: AgentId,
    pub(crate) order: u64,
    pub(crate) payload: bool,
}

/// A wait.
#[derive(Debug, Clone)]
pub(crate) struct WaitBook {
    pub(crate) wait: Wait,
    pub(crate) since: u64,
    /// When it ended, and where in the agents' log that stands.
    pub(crate) ended: Option<(u64, Position)>,
    /// It was met by the very run that ended it, so there is nobody to tell.
    pub(crate) met_in_turn: bool,
}

/// A schedule.
#[derive(Debug, Clone)]
pub(crate) struct ScheduleBook {
    pub(crate) body: Schedule,
    /// It was paused at some time.
    pub(crate) paused_once: bool,
    /// It ended before the simulator ended it.
    pub(crate) ended_early: bool,
    /// From which slot to which its clock was brought back, each time: these slots come again.
    pub(crate) brought_back: Vec<(SlotName, Option<SlotName>)>,
    /// It was made by a clock that was far ahead, and began anew.
    pub(crate) begun_anew: bool,
}

/// Everything that happened.
#[derive(Debug, Default)]
pub(crate) struct Book {
    /// Commits applied so far.
    pub(crate) order: u64,
    pub(crate) agents: BTreeMap<AgentId, AgentBook>,
    pub(crate) tasks: BTreeMap<RecordId, TaskBook>,
    pub(crate) subscriptions: BTreeMap<RecordId, Subscription>,
    pub(crate) needs: Vec<Need>,
    pub(crate) runs: BTreeMap<RunKey, RunBook>,
    pub(crate) ranges: Vec<Range>,
    /// Which completed turns were given a change.
    pub(crate) seen: BTreeMap<(AgentId, Position), Vec<RunKey>>,
    /// Up to where the journal's log was let go.
    pub(crate) let_go: Position,
    /// Up to where somebody has looked at everything as it is, because nobody knew any more what had changed.
    pub(crate) looked_whole: BTreeMap<AgentId, Position>,
    /// Changes that a prompt of a completed turn tells of.
    pub(crate) told: BTreeSet<(AgentId, Position)>,
    /// Completed runs of each agent: when, and whether by a turn.
    pub(crate) completed: BTreeMap<AgentId, Vec<(u64, bool)>>,
    /// Runs of each agent that failed for good.
    pub(crate) failed: BTreeMap<AgentId, Vec<FailedBook>>,
    /// Looks that were cancelled under way.
    pub(crate) waived: Vec<Waived>,
    pub(crate) slept: Vec<(AgentId, RunKey, u64)>,
    pub(crate) waits: BTreeMap<RecordId, WaitBook>,
    pub(crate) hints: Vec<HintBook>,
    pub(crate) naps: Vec<(AgentId, u64)>,
    pub(crate) schedules: BTreeMap<ScheduleId, ScheduleBook>,
    pub(crate) triggers: BTreeMap<TriggerId, (AgentId, bool)>,
    /// Job results that were read: by whom, of which job, when.
    pub(crate) results: Vec<(AgentId, String, u64)>,
    /// From which epoch on a run that was put back may write.
    pub(crate) superseded: BTreeMap<RunKey, Epoch>,
    /// Runs whose cancel was acknowledged.
    pub(crate) cancelled: BTreeSet<RunKey>,
    /// Agents whose stop was acknowledged and not lifted since.
    pub(crate) stopped: BTreeSet<AgentId>,
    /// The kill switch was acknowledged and not lifted since.
    pub(crate) killed: bool,
    /// Classes of tools whose stop was acknowledged and not lifted since.
    pub(crate) classes: BTreeSet<Capability>,
    /// Tools that do not answer, and who waits for them in which run.
    pub(crate) hanging: Vec<(AgentId, RunKey)>,
    /// Turns in progress.
    pub(crate) in_turn: BTreeMap<AgentId, RunKey>,
    /// What those who tend a task may spend in a day.
    pub(crate) limits: BudgetLimits,
    /// The model of all agents may not be asked: nobody has agreed yet, or that it was taken back was acknowledged.
    pub(crate) forbidden: bool,
    /// That model.
    pub(crate) usual: Option<ModelRef>,
    /// How often each agent has failed in a row.
    pub(crate) in_a_row: BTreeMap<AgentId, u32>,
    /// When the operator agreed, in commits.
    pub(crate) agreed: Vec<u64>,
    /// What turns are about.
    pub(crate) deeds: Deeds,
    /// What was done to the journal, and what was undone of it.
    pub(crate) undos: Undos,
    /// What each named request was answered.
    pub(crate) answers: BTreeMap<String, String>,
    pub(crate) violations: Vec<Violation>,
    pub(crate) figures: Figures,
    /// Lines for whoever reads the story.
    pub(crate) story: Vec<String>,
    /// The simulator ends things itself now.
    pub(crate) ending: bool,
}

impl Book {
    /// Notes that a property did not hold.
    pub(crate) fn violate(&mut self, property: &'static str, what: String) {
        self.violations.push(Violation { property, what });
    }

    /// The living agents, in the order of their ids.
    pub(crate) fn living(&self) -> Vec<&AgentBook> {
        self.agents.values().filter(|agent| !agent.destroyed).collect()
    }

    /// A short name of an agent for the story.
    pub(crate) fn name(&self, agent: &AgentId) -> String {
        let place = self.agents.keys().position(|id| id == agent);
        let kind = self.agents.get(agent).map_or("agent", AgentBook::kind);
        place.map_or_else(|| agent.to_string(), |place| format!("{kind}-{place}"))
    }

    /// Whether the task that an agent tends is gone.
    pub(crate) fn is_bereft(&self, agent: &AgentBook) -> bool {
        let gone = |id: &RecordId| !self.tasks.get(id).is_some_and(|task| task.live);
        agent.tends.as_ref().is_some_and(gone)
    }

    /// Whether an agent has completed a run after this moment; one of which nobody promised that does
    /// not have to.
    pub(crate) fn looked_after(&self, agent: &AgentId, order: u64, by_turn: bool) -> bool {
        let later = |(at, turn): &(u64, bool)| *at > order && (*turn || !by_turn);
        self.completed.get(agent).is_some_and(|done| done.iter().any(later))
            || self.excused(agent, order)
    }

    /// Whether an agent is over, or has lost its task.
    pub(crate) fn is_over(&self, agent: &AgentId) -> bool {
        self.agents.get(agent).is_none_or(|agent| agent.destroyed || self.is_bereft(agent))
    }
}
