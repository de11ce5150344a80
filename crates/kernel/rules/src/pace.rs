//! Pace: how soon an agent may wake again of its own.

use types::{At, RunKey, SchedulerPolicy};

const HOUR_MS: i64 = 3_600_000;

/// The longest pause before a retry.
const RETRY_MS_MAX: i64 = 300_000;

/// When the next wake of an agent's own may begin; now, if none is named.
///
/// Beginnings that lie in the future were noted before the clock was set back, and count for
/// nothing: otherwise the agent would sleep until the clock had caught up.
#[must_use]
pub fn earliest(policy: &SchedulerPolicy, starts: &[At], now: At) -> Option<At> {
    let starts = within_the_hour(starts, now);
    let cooled = starts.last().map(|last| last.plus_millis(policy.cooldown_ms));
    let rate = policy.per_agent_wake_rate_per_hour;
    let in_rate = starts.len().checked_sub(rate).and_then(|first| starts.get(first));
    let in_rate = in_rate.map(|first| first.plus_millis(HOUR_MS));
    cooled.max(in_rate).filter(|at| *at > now)
}

/// The beginnings to remember after another one now: those that could still matter.
#[must_use]
pub fn begun(policy: &SchedulerPolicy, starts: &[At], now: At) -> Vec<At> {
    let mut kept = within_the_hour(starts, now);
    kept.push(now);
    // Where no rate holds, only the last one matters.
    let rate = match policy.per_agent_wake_rate_per_hour {
        rate if rate > 1_000 => 1,
        rate => rate.max(1),
    };
    let surplus = kept.len().saturating_sub(rate);
    kept.split_off(surplus)
}

/// When to try a run again that failed for the n-th time; never, if no time is named.
///
/// The pause doubles each time and differs a little from run to run, so that runs that failed
/// together do not come back together.
#[must_use]
pub fn retry_at(policy: &SchedulerPolicy, run: &RunKey, failures: u32, now: At) -> Option<At> {
    (failures < policy.attempts_max).then(|| back_off(run, failures, now))
}

/// The same for a run that was stopped from outside: that is no failure of its own and may happen any
/// number of times.
#[must_use]
pub fn back_off(run: &RunKey, failures: u32, now: At) -> At {
    let pause = 1_000_i64.saturating_mul(1 << failures.min(20)).min(RETRY_MS_MAX);
    now.plus_millis(apart(run, pause))
}

/// A pause that differs a little from run to run.
#[must_use]
pub fn apart(run: &RunKey, pause_ms: i64) -> i64 {
    pause_ms - i64::from(run.0.as_bytes()[0]) * pause_ms / 1_024
}

fn within_the_hour(starts: &[At], now: At) -> Vec<At> {
    let since = now.plus_millis(-HOUR_MS);
    starts.iter().copied().filter(|at| *at > since && *at <= now).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use types::Digest;

    const POLICY: SchedulerPolicy = SchedulerPolicy::DEFAULT;

    fn at(ms: i64) -> At {
        At::from_millis(100_000_000 + ms)
    }

    #[test]
    fn two_seconds_lie_between_two_wakes() {
        assert_eq!(earliest(&POLICY, &[], at(0)), None);
        assert_eq!(earliest(&POLICY, &[at(0)], at(500)), Some(at(2_000)));
        assert_eq!(earliest(&POLICY, &[at(0)], at(2_000)), None);
    }

    #[test]
    fn a_clock_that_was_set_back_delays_nobody() {
        let day = 86_400_000;
        assert_eq!(earliest(&POLICY, &[at(day)], at(0)), None);
        assert_eq!(begun(&POLICY, &[at(day)], at(0)), [at(0)]);
    }

    #[test]
    fn a_retry_waits_longer_each_time_and_ends() {
        let run = RunKey(Digest::ZERO);
        let pauses: Vec<Option<i64>> = (1..=5)
            .map(|failures| {
                Some(retry_at(&POLICY, &run, failures, at(0))?.millis() - at(0).millis())
            })
            .collect();
        assert_eq!(pauses, [Some(2_000), Some(4_000), Some(8_000), Some(16_000), None]);
        let patient = SchedulerPolicy { attempts_max: 100, ..POLICY };
        assert_eq!(retry_at(&patient, &run, 60, at(0)), Some(at(RETRY_MS_MAX)));
    }

    proptest! {
        #[test]
        fn no_hour_has_more_wakes_than_the_rate(
            pauses in proptest::collection::vec(0..200_000_i64, 1..300)
        ) {
            let policy = SchedulerPolicy { per_agent_wake_rate_per_hour: 7, ..POLICY };
            let (mut now, mut starts, mut all) = (at(0), Vec::new(), Vec::new());
            for pause in pauses {
                now = now.plus_millis(pause);
                now = earliest(&policy, &starts, now).unwrap_or(now);
                starts = begun(&policy, &starts, now);
                all.push(now);
            }
            for pair in all.windows(8) {
                prop_assert!(pair[7].millis() - pair[0].millis() >= HOUR_MS);
            }
            for pair in all.windows(2) {
                prop_assert!(pair[1].millis() - pair[0].millis() >= policy.cooldown_ms);
            }
        }
    }
}
