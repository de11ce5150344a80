//! Whether a queued run may begin, and if not, what brings it back.
//!
//! ```text
//! the agent is                 a run that only looks            a run with somebody's word
//! gone or destroyed            ends skipped_destroyed           the same
//! dormant, or fenced off       held until it is let go          held until it is let go
//! behind a barrier             ends skipped_sleeping,           begins
//!                              with a tick at the barrier's end
//! resting after a failure      waits for its time               begins
//! too fast                     waits for its pace               begins
//! free                         begins                           begins
//! ```
//! Every row but the first has its own way back in the same commit, so no wake is lost.

use types::{At, Gate, Lifecycle, Run, RunDraft, RunEnd, SchedulerPolicy};

use crate::matching::draft;
use crate::pace;
use crate::planted::{self, Fault};
use crate::run_key::Cause;

/// How an agent stands when one of its runs would begin.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    /// Its stage of life; absent if there is no such agent.
    pub lifecycle: Option<Lifecycle>,
    /// Whether its own fence is closed.
    pub fenced_off: bool,
    /// Its barrier.
    pub sleep_until: Option<At>,
    /// Until when it rests after a failure.
    pub rests_until: Option<At>,
    /// When its own wakes began.
    pub starts: &'a [At],
}

/// What is to be done with a run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "it is taken apart where it is made")]
pub enum Verdict {
    /// It begins.
    Begin,
    /// It stays in the queue and waits for this.
    Wait(Gate),
    /// It ends without having begun, and this one takes its place.
    Skip(RunEnd, Option<RunDraft>),
}

/// Judges a run that would begin now.
#[must_use]
pub fn judge(run: &Run, standing: &Standing<'_>, policy: &SchedulerPolicy, now: At) -> Verdict {
    match standing.lifecycle {
        None | Some(Lifecycle::Destroyed { .. }) => {
            return Verdict::Skip(RunEnd::SkippedDestroyed, None);
        }
        Some(Lifecycle::Dormant { .. }) => return Verdict::Wait(Gate::Held),
        Some(Lifecycle::Created | Lifecycle::Active) => {}
    }
    if standing.fenced_off {
        return Verdict::Wait(Gate::Held);
    }
    if !run.draft.only_looks() {
        return Verdict::Begin;
    }
    // What has begun is no new wake: it is brought to its end.
    let barrier = standing.sleep_until.filter(|_| run.attempt == 0);
    if let Some(until) = barrier.filter(|until| *until > now) {
        return Verdict::Skip(RunEnd::SkippedSleeping, tick_at(run, until));
    }
    let rests_until = standing.rests_until.filter(|_| run.attempt == 0);
    match rests_until.max(pace::earliest(policy, standing.starts, now)) {
        Some(at) => Verdict::Wait(Gate::Until(at)),
        None => Verdict::Begin,
    }
}

/// The tick for the end of a barrier. It is named after the run that was stopped: that one ends
/// once, so there is one tick for it, also if the same barrier stops another later.
fn tick_at(run: &Run, until: At) -> Option<RunDraft> {
    if planted::is(Fault::LostTickAfterBarrier) {
        return None;
    }
    let stopped = run.draft.run_key.to_string();
    let cause = Cause::Tick { cause: "barrier", cause_id: &stopped };
    let tick = draft(&run.draft.agent, &cause, Some("barrier".to_owned()));
    Some(RunDraft { not_before: Some(until), insist: run.draft.insist, ..tick })
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::{DormantCause, WakeReason};

    const NOW: At = At::from_millis(1_000_000);

    fn run(reason: WakeReason) -> Run {
        let agent = "agent_a".parse().unwrap();
        let cause = Cause::Manual { request: "r" };
        let draft = RunDraft { reason, ..draft(&agent, &cause, None) };
        Run::queued(draft, 1, NOW)
    }

    fn standing(lifecycle: Lifecycle) -> Standing<'static> {
        Standing {
            lifecycle: Some(lifecycle),
            fenced_off: false,
            sleep_until: None,
            rests_until: None,
            starts: &[],
        }
    }

    fn verdict(reason: WakeReason, standing: &Standing<'_>) -> Verdict {
        judge(&run(reason), standing, &SchedulerPolicy::DEFAULT, NOW)
    }

    #[test]
    fn nothing_but_the_end_of_an_agent_ends_a_run_for_good() {
        let gone = Standing { lifecycle: None, ..standing(Lifecycle::Active) };
        let over = standing(Lifecycle::Destroyed { at: NOW });
        for reason in WakeReason::ALL {
            for standing in [&gone, &over] {
                let ended = Verdict::Skip(RunEnd::SkippedDestroyed, None);
                assert_eq!(verdict(reason, standing), ended);
            }
        }
    }

    #[test]
    fn a_dormant_or_fenced_agent_holds_every_run() {
        let dormant = standing(Lifecycle::Dormant { cause: DormantCause::Stopped });
        let fenced = Standing { fenced_off: true, ..standing(Lifecycle::Active) };
        for reason in WakeReason::ALL {
            for standing in [&dormant, &fenced] {
                assert_eq!(verdict(reason, standing), Verdict::Wait(Gate::Held));
            }
        }
    }

    #[test]
    fn a_barrier_stops_looks_and_lets_words_through() {
        let until = NOW.plus_millis(60_000);
        let behind = Standing { sleep_until: Some(until), ..standing(Lifecycle::Active) };
        for reason in WakeReason::ALL {
            match verdict(reason, &behind) {
                Verdict::Skip(RunEnd::SkippedSleeping, Some(tick)) => {
                    assert!(reason.is_content_free());
                    assert_eq!((tick.reason, tick.not_before), (WakeReason::Tick, Some(until)));
                    assert_ne!(tick.run_key, run(reason).draft.run_key);
                }
                Verdict::Begin => assert!(!reason.is_content_free()),
                other => panic!("{reason:?}: {other:?}"),
            }
        }
        let begun = Run { attempt: 1, ..run(WakeReason::Subscription) };
        let verdict_on_begun = judge(&begun, &behind, &SchedulerPolicy::DEFAULT, NOW);
        assert_eq!(verdict_on_begun, Verdict::Begin, "what has begun is brought to its end");
        let past = Standing { sleep_until: Some(NOW), ..behind };
        assert_eq!(verdict(WakeReason::Tick, &past), Verdict::Begin);
    }

    #[test]
    fn an_agent_that_is_too_fast_waits_and_words_do_not() {
        let starts = [NOW];
        let fast = Standing { starts: &starts, ..standing(Lifecycle::Active) };
        let soon = Gate::Until(NOW.plus_millis(2_000));
        assert_eq!(verdict(WakeReason::Subscription, &fast), Verdict::Wait(soon));
        assert_eq!(verdict(WakeReason::UserInitiated, &fast), Verdict::Begin);
    }

    #[test]
    fn an_agent_that_rests_after_a_failure_waits_for_its_time_and_words_do_not() {
        let until = NOW.plus_millis(60_000);
        let rests = Standing { rests_until: Some(until), ..standing(Lifecycle::Active) };
        for reason in WakeReason::ALL {
            let wanted = match reason.is_content_free() {
                true => Verdict::Wait(Gate::Until(until)),
                false => Verdict::Begin,
            };
            assert_eq!(verdict(reason, &rests), wanted);
        }
        let begun = Run { attempt: 1, ..run(WakeReason::Subscription) };
        assert_eq!(judge(&begun, &rests, &SchedulerPolicy::DEFAULT, NOW), Verdict::Begin);
    }
}
