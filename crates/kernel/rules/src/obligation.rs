//! Obligations and the sleep invariant: what an agent still has to do, and what will wake it for it.
//!
//! Each obligation has a live edge of its own, or the agent is flagged. An edge is live while its
//! source can still fire.

use types::{Body, Gate, Record, Run, RunState, ScheduleStatus, TriggerStatus, Wait, WaitId};

/// What the world says about the source of a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Liveness {
    /// It can still happen.
    Live,
    /// It cannot.
    Dead {
        /// Why.
        why: String,
    },
}

/// What the record of a source says: a schedule or trigger that still comes.
#[must_use]
pub fn liveness(record: Option<&Record>) -> Liveness {
    let Some(record) = record else { return Liveness::Dead { why: "no such thing".to_owned() } };
    let live = match &record.body {
        Body::AgentSchedule(schedule) => schedule.status == ScheduleStatus::Active,
        Body::AgentTrigger(trigger) => trigger.status == TriggerStatus::Active,
        _ => false,
    };
    match live && record.deleted_at.is_none() {
        true => Liveness::Live,
        false => Liveness::Dead { why: "it is over".to_owned() },
    }
}

/// Something that an agent still has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obligation {
    /// Of which kind: `run`, `envelope` or `wait`.
    pub kind: &'static str,
    /// Which.
    pub id: String,
    /// In words.
    pub what: String,
    /// What will wake the agent for it; absent means that nothing will.
    pub edge: Option<String>,
}

impl Obligation {
    /// Whether nothing will wake the agent for it.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.edge.is_none()
    }
}

/// The obligation of a run that has not ended, of an agent that may wake or may not.
#[must_use]
pub fn of_run(run: &Run, may_wake: bool) -> Obligation {
    let edge = match &run.state {
        RunState::Queued { .. } if !may_wake => None,
        RunState::Queued { gate: Gate::Open } => Some("queue".to_owned()),
        RunState::Queued { gate: Gate::Until(at) } => Some(format!("time:{at}")),
        RunState::Started { .. } => Some("running".to_owned()),
        // Only the operator can let it go, and the operator is no edge of it.
        RunState::Queued { gate: Gate::Held } | RunState::Ended { .. } => None,
    };
    let (kind, id) = match &run.draft.envelope {
        Some(envelope) => ("envelope", envelope.to_string()),
        None => ("run", run.draft.run_key.to_string()),
    };
    let what = format!("{} ({})", run.draft.reason.as_str(), run.state.as_str());
    Obligation { kind, id, what, edge }
}

/// The obligation of an open wait. Its deadline is armed, so it is never without an edge; it names
/// its source where that can still fire.
#[must_use]
pub fn of_wait(id: &WaitId, wait: &Wait, source: &Liveness) -> Obligation {
    let edge = match source {
        Liveness::Live => wait.waiting_for.source(),
        Liveness::Dead { .. } => format!("deadline:{}", wait.deadline),
    };
    let what = format!("{} ({})", wait.description, wait.waiting_for.as_str());
    Obligation { kind: "wait", id: id.to_string(), what, edge: Some(edge) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::draft;
    use crate::run_key::Cause;
    use types::{At, Digest, RunKey, WaitFor, WaitState};

    fn run(state: RunState) -> Run {
        let cause = Cause::Manual { request: "r" };
        let draft = draft(&"agent_a".parse().unwrap(), &cause, None);
        Run { state, ..Run::queued(draft, 1, At::EPOCH) }
    }

    #[test]
    fn a_run_has_an_edge_unless_it_is_held() {
        let at = At::from_millis(5);
        for (state, live) in [
            (RunState::Queued { gate: Gate::Open }, true),
            (RunState::Queued { gate: Gate::Until(at) }, true),
            (RunState::Started { at }, true),
            (RunState::Queued { gate: Gate::Held }, false),
        ] {
            assert_eq!(!of_run(&run(state.clone()), true).is_stuck(), live, "{state:?}");
        }
        let waiting = run(RunState::Queued { gate: Gate::Open });
        assert!(of_run(&waiting, false).is_stuck(), "a dormant agent's run waits for the operator");
    }

    #[test]
    fn a_wait_names_its_source_while_that_lives_and_its_deadline_after() {
        let wait = Wait {
            agent_id: "agent_a".parse().unwrap(),
            waiting_for: WaitFor::Job { job: "job_1".to_owned() },
            description: "the build".to_owned(),
            run_key: RunKey(Digest::ZERO),
            deadline: At::from_millis(9),
            state: WaitState::Open,
        };
        let id: WaitId = "wait_1".parse().unwrap();
        assert_eq!(of_wait(&id, &wait, &Liveness::Live).edge.unwrap(), "job:job_1");
        let dead = Liveness::Dead { why: "gone".to_owned() };
        assert!(of_wait(&id, &wait, &dead).edge.unwrap().starts_with("deadline:"));
    }
}
