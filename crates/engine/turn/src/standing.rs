//! Where an agent stands after a turn.

use rules::planted::{self, Fault};
use types::{
    AgentState, At, Body, ClosureDecision, ClosureOutcome, LastTurn, MessageId, RecordDraft,
    TurnId, TurnKind, Write,
};

use crate::job::Job;

/// What stands in a turn's way for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Barred {
    /// It was not permitted.
    Refused,
    /// It met a bound.
    Bounded,
}

/// What is known of a turn that is over.
pub(crate) struct After {
    pub(crate) kind: TurnKind,
    /// What stood in its way, if that is nothing that would pass by waiting.
    pub(crate) barred: Option<Barred>,
    /// Something is left of every budget of the day.
    pub(crate) has_room: bool,
    /// The operator is told that most of a budget is spent.
    pub(crate) warned: bool,
    /// Failures in a row that are borne.
    pub(crate) failures_max: u32,
    pub(crate) now: At,
}

impl After {
    /// Writes what the agent knows of itself then. What waited for it to rest after failures waits no more
    /// if it has none.
    pub(crate) fn stands(
        &self,
        job: &Job,
        state: &AgentState,
        summary: Option<MessageId>,
        closure: &ClosureDecision,
    ) -> Vec<Write> {
        let run = &job.claim.run.draft.run_key;
        // What another model does, this once, says nothing of how well the agent does.
        let once = job.is_choice() && !planted::is(Fault::ChoiceCounted);
        let next = match (self.kind, self.barred) {
            (TurnKind::Completed, _) if once => AgentState {
                consecutive_failure_count: state.consecutive_failure_count,
                next_wake_at: state.next_wake_at,
                ..succeeded(job, state, summary)
            },
            (TurnKind::Completed, _) => succeeded(job, state, summary),
            (TurnKind::Aborted, _) if once => state.clone(),
            (TurnKind::Aborted, Some(Barred::Refused)) => rules::failures::refused(state),
            (TurnKind::Aborted, Some(Barred::Bounded)) => rules::failures::bounded(state),
            (TurnKind::Aborted, None) => {
                rules::failures::counted(state, self.failures_max, run, self.now)
            }
        };
        // Also from what was no failure of its own, such as a budget that has been raised since. As long as there is
        // nothing left to spend, they would only be refused again.
        let put_off = state.last_turn.as_deref().is_some_and(LastTurn::has_put_off);
        let recovered = self.kind == TurnKind::Completed
            && !once
            && (state.consecutive_failure_count > 0 || self.has_room && put_off);
        let turn = rules::turn::id(run);
        let mut last_turn = last_turn(turn, closure, next.last_turn.as_deref());
        last_turn.put_off &= !recovered;
        let next = AgentState {
            last_wake_at: Some(self.now),
            last_turn: Some(Box::new(last_turn)),
            budget_warned_on: self.warned.then_some(job.purse.day).or(next.budget_warned_on),
            wake_counter: next.wake_counter + 1,
            ..next
        };
        let agent = job.claim.agent.agent_id.clone();
        let next = Write::Record(RecordDraft::live(&job.claim.agent.current_state_id, next));
        let freed = recovered.then_some(Write::ReleaseRuns { agent });
        [next].into_iter().chain(freed).collect()
    }
}

/// What the agent durably knew of itself when the turn began.
pub(crate) fn state(job: &Job) -> Option<AgentState> {
    match job.given.state.as_ref().map(|record| &record.body) {
        Some(Body::AgentState(state)) => Some(state.clone()),
        _ => None,
    }
}

/// What an agent durably knows of itself after a turn that came to its end. One that failed stands where
/// its last good turn left it. What was summed up is pointed to only in the commit that writes it.
fn succeeded(job: &Job, state: &AgentState, summary: Option<MessageId>) -> AgentState {
    AgentState {
        recent_head_message_id: job.last_message().or(state.recent_head_message_id.clone()),
        latest_summary_message_id: summary.or(state.latest_summary_message_id.clone()),
        ..rules::failures::forgotten(state)
    }
}

/// How a turn left its agent, after the one before.
pub(crate) fn last_turn(
    turn: TurnId,
    closure: &ClosureDecision,
    before: Option<&LastTurn>,
) -> LastTurn {
    let good = match closure.outcome {
        ClosureOutcome::Failed => before.and_then(|before| before.good.clone()),
        _ => Some(turn.clone()),
    };
    let put_off = before.is_some_and(LastTurn::has_put_off);
    let ClosureDecision { outcome, waiting_reason, .. } = *closure;
    LastTurn { turn, outcome, waiting_reason, good, put_off }
}
