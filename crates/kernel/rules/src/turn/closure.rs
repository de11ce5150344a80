//! How a turn leaves its agent: from facts, never from what was said.

use types::{ClosureDecision, ClosureOutcome, TurnKind, WaitFor, WaitingReason};

/// What is known when a turn is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts<'a> {
    /// How it was over.
    pub kind: TurnKind,
    /// What it decided to wait for.
    pub waits: &'a [WaitFor],
    /// It has set itself a time to look again.
    pub nap: bool,
    /// There is more to do that needs no further cause.
    pub more: bool,
}

/// Decides how a turn leaves its agent.
#[must_use]
pub fn close(facts: &Facts<'_>) -> ClosureDecision {
    let waiting = facts.waits.iter().map(reason).next();
    let waiting = waiting.or(facts.nap.then_some(WaitingReason::AwaitingTimer));
    let outcome = match (facts.kind, waiting, facts.more) {
        (TurnKind::Aborted, ..) => ClosureOutcome::Failed,
        (TurnKind::Completed, Some(_), _) => ClosureOutcome::Waiting,
        (TurnKind::Completed, None, true) => ClosureOutcome::Continuable,
        (TurnKind::Completed, None, false) => ClosureOutcome::Completed,
    };
    let awake = outcome == ClosureOutcome::Continuable;
    ClosureDecision {
        outcome,
        waiting_reason: waiting.filter(|_| outcome == ClosureOutcome::Waiting),
        runtime_posture: if awake { "awake" } else { "sleeping" }.to_owned(),
        evidence: evidence(facts),
    }
}

fn reason(wait: &WaitFor) -> WaitingReason {
    match wait {
        WaitFor::Job { .. } => WaitingReason::AwaitingTaskResult,
        WaitFor::Operator => WaitingReason::AwaitingOperatorInput,
        WaitFor::Timer { .. } => WaitingReason::AwaitingTimer,
        _ => WaitingReason::AwaitingExternalChange,
    }
}

fn evidence(facts: &Facts<'_>) -> Vec<String> {
    let kind = match facts.kind {
        TurnKind::Completed => "turn completed",
        TurnKind::Aborted => "turn aborted",
    };
    let waits = facts.waits.iter().map(|wait| format!("waits for {}", wait.source()));
    let nap = facts.nap.then(|| "has set itself a time".to_owned());
    let more = facts.more.then(|| "more is queued".to_owned());
    std::iter::once(kind.to_owned()).chain(waits).chain(nap).chain(more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(kind: TurnKind) -> Facts<'static> {
        Facts { kind, waits: &[], nap: false, more: false }
    }

    #[test]
    fn only_a_turn_that_drained_is_completed() {
        let done = close(&facts(TurnKind::Completed));
        assert_eq!(done.outcome, ClosureOutcome::Completed);
        assert_eq!(
            (done.runtime_posture.as_str(), &done.evidence[..]),
            ("sleeping", &["turn completed"].map(str::to_owned)[..])
        );
        assert_eq!(close(&facts(TurnKind::Aborted)).outcome, ClosureOutcome::Failed);
    }

    #[test]
    fn a_wait_has_its_reason_and_nothing_else_has_one() {
        let waits = [WaitFor::Operator];
        let waiting = close(&Facts { waits: &waits, more: true, ..facts(TurnKind::Completed) });
        assert_eq!(waiting.outcome, ClosureOutcome::Waiting);
        assert_eq!(waiting.waiting_reason, Some(WaitingReason::AwaitingOperatorInput));
        let failed = close(&Facts { waits: &waits, ..facts(TurnKind::Aborted) });
        assert_eq!(failed.waiting_reason, None);
        let nap = close(&Facts { nap: true, ..facts(TurnKind::Completed) });
        assert_eq!(nap.waiting_reason, Some(WaitingReason::AwaitingTimer));
        let more = close(&Facts { more: true, ..facts(TurnKind::Completed) });
        assert_eq!((more.outcome, more.waiting_reason), (ClosureOutcome::Continuable, None));
        assert_eq!(more.runtime_posture, "awake");
        assert_eq!(more.evidence, ["turn completed", "more is queued"]);
    }
}
