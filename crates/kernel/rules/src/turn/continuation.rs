//! What a wake is to what its agent was doing before.
//!
//! ```text
//! the turn before        what wakes                   how it goes on
//! (any)                  finds nothing to decide      liveness_only, no model hears of it
//! waits                  what it waits for            resume_expected_wait
//! waits                  the operator                 resume_override
//! waits                  anything else                local_continuation; the wait stays
//! does not wait, or none anything                     local_continuation
//! ```
//! It is decided from how the turn before left its agent, which stands in the agent's state until this
//! one is over: that the agent is running by now hides nothing.

use types::{
    ClosureOutcome, Continuation, ContinuationClass, Envelope, EnvelopeKind, LastTurn, RunDraft,
    TriggerKind, WaitingReason, WakeReason,
};

use super::followup;

/// What kind of thing a run is woken by. Its envelope says so if it was read; what carries none, or was
/// not, is known by its reason.
#[must_use]
pub fn trigger(run: &RunDraft, envelope: Option<&Envelope>) -> TriggerKind {
    if let Some(envelope) = envelope {
        return envelope.trigger_kind;
    }
    match run.reason {
        WakeReason::UserInitiated => TriggerKind::OperatorInput,
        WakeReason::JobResult => TriggerKind::TaskResult,
        WakeReason::Subscription | WakeReason::Trigger => TriggerKind::ExternalEvent,
        WakeReason::Timer | WakeReason::CatchUp => TriggerKind::TimerFire,
        WakeReason::Tick if run.reason_id.as_deref().is_some_and(followup::is) => {
            TriggerKind::InternalFollowup
        }
        WakeReason::Manual | WakeReason::Tick => TriggerKind::SystemTick,
    }
}

/// Whether an envelope only reports how something goes: it is kept, and by itself starts no turn.
#[must_use]
pub fn only_reports(envelope: &Envelope) -> bool {
    envelope.kind == EnvelopeKind::TaskStatus
}

/// Decides how a wake goes on from the turn before. `why` is what there is to decide, if there is
/// anything.
#[must_use]
pub fn resolve(trigger: TriggerKind, before: Option<&LastTurn>, why: Option<&str>) -> Continuation {
    let waits = before.filter(|before| before.outcome == ClosureOutcome::Waiting);
    let waits = waits.and_then(|before| before.waiting_reason);
    let matched = waits == ends(trigger) && waits.is_some();
    let class = match (why, waits) {
        (None, _) => ContinuationClass::LivenessOnly,
        (Some(_), Some(_)) if matched => ContinuationClass::ResumeExpectedWait,
        (Some(_), Some(_)) if trigger == TriggerKind::OperatorInput => {
            ContinuationClass::ResumeOverride
        }
        (Some(_), _) => ContinuationClass::LocalContinuation,
    };
    Continuation {
        trigger_kind: trigger,
        class,
        model_visible: why.is_some(),
        prior_outcome: before.map(|before| before.outcome),
        prior_waiting_reason: waits,
        matched_waiting_reason: matched,
        evidence: evidence(trigger, before, why),
    }
}

/// The wait that such a trigger ends.
const fn ends(trigger: TriggerKind) -> Option<WaitingReason> {
    match trigger {
        TriggerKind::OperatorInput => Some(WaitingReason::AwaitingOperatorInput),
        TriggerKind::TaskResult => Some(WaitingReason::AwaitingTaskResult),
        TriggerKind::ExternalEvent => Some(WaitingReason::AwaitingExternalChange),
        TriggerKind::TimerFire => Some(WaitingReason::AwaitingTimer),
        TriggerKind::InternalFollowup | TriggerKind::SystemTick => None,
    }
}

fn evidence(trigger: TriggerKind, before: Option<&LastTurn>, why: Option<&str>) -> Vec<String> {
    let before =
        before.map_or_else(|| "no turn before".to_owned(), |one| format!("after {}", one.turn));
    let found =
        why.map_or_else(|| "found nothing to decide".to_owned(), |why| format!("found {why}"));
    vec![format!("woken by {}", trigger.as_str()), before, found]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(outcome: ClosureOutcome, waiting_reason: Option<WaitingReason>) -> LastTurn {
        LastTurn {
            turn: "turn_a".parse().unwrap(),
            outcome,
            waiting_reason,
            good: None,
            put_off: false,
        }
    }

    fn class(trigger: TriggerKind, before: &LastTurn) -> (ContinuationClass, bool) {
        let found = resolve(trigger, Some(before), Some("relevant_change"));
        assert!(found.model_visible);
        assert_eq!(found.prior_outcome, Some(before.outcome));
        assert_eq!(found.prior_waiting_reason, before.waiting_reason);
        assert_eq!(found.evidence.len(), 3);
        (found.class, found.matched_waiting_reason)
    }

    #[test]
    fn each_wait_is_ended_by_its_own_trigger_and_only_the_operator_overrides_one() {
        use ContinuationClass as Class;
        let waits = [
            (WaitingReason::AwaitingOperatorInput, TriggerKind::OperatorInput),
            (WaitingReason::AwaitingTaskResult, TriggerKind::TaskResult),
            (WaitingReason::AwaitingExternalChange, TriggerKind::ExternalEvent),
            (WaitingReason::AwaitingTimer, TriggerKind::TimerFire),
        ];
        for (reason, ends) in waits {
            let before = left(ClosureOutcome::Waiting, Some(reason));
            for trigger in TriggerKind::ALL {
                let wanted = match *trigger {
                    trigger if trigger == ends => (Class::ResumeExpectedWait, true),
                    TriggerKind::OperatorInput => (Class::ResumeOverride, false),
                    _ => (Class::LocalContinuation, false),
                };
                assert_eq!(class(*trigger, &before), wanted, "{trigger:?} while {reason:?}");
            }
        }
    }

    #[test]
    fn who_does_not_wait_just_goes_on_and_who_finds_nothing_is_only_looked_after() {
        for trigger in TriggerKind::ALL {
            for outcome in
                [ClosureOutcome::Completed, ClosureOutcome::Continuable, ClosureOutcome::Failed]
            {
                let wanted = (ContinuationClass::LocalContinuation, false);
                assert_eq!(class(*trigger, &left(outcome, None)), wanted);
            }
            let first = resolve(*trigger, None, None);
            assert_eq!(first.class, ContinuationClass::LivenessOnly);
            assert_eq!((first.model_visible, first.prior_outcome), (false, None));
        }
    }
}
