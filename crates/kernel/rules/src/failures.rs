//! Failures in a row: each makes an agent wait longer, and too many make it dormant.
//!
//! A run has been tried several times before it counts as a failure, so these pauses are long: what is
//! down for an hour is found up again by the agent itself, and nobody has to resume it.

use types::{AgentState, At, Record, RunKey};

use crate::dormancy::{self, Dormancy};
use crate::lifecycle::{LifeEvent, NoSuchStep};
use crate::pace;

/// The pause after the first failure, and the longest.
const PAUSE_MS: i64 = 60_000;
const PAUSE_MAX_MS: i64 = 4 * 3_600_000;

/// An agent's state after one more failure, of so many that are borne: counted, and when it means to look
/// again. Each failure makes the pause four times as long, up to some hours. One that goes dormant for it is
/// resumed by somebody, and looks then.
#[must_use]
pub fn counted(state: &AgentState, failures_max: u32, run: &RunKey, now: At) -> AgentState {
    let failures = state.consecutive_failure_count.saturating_add(1);
    AgentState {
        consecutive_failure_count: failures,
        next_wake_at: (failures < failures_max).then(|| now.plus_millis(pause(run, failures))),
        ..state.clone()
    }
}

/// The same for one that was not permitted to begin or to go on: that is no failure, and nothing is waited
/// for. Who lifts what stood in its way is not to wait either.
#[must_use]
pub fn refused(state: &AgentState) -> AgentState {
    AgentState { next_wake_at: None, ..state.clone() }
}

/// The same for one that met a bound: it counts, and nothing is waited for.
#[must_use]
pub fn bounded(state: &AgentState) -> AgentState {
    let failures = state.consecutive_failure_count.saturating_add(1);
    AgentState { consecutive_failure_count: failures, next_wake_at: None, ..state.clone() }
}

fn pause(run: &RunKey, failures: u32) -> i64 {
    let longer = 4_i64.saturating_pow(failures.saturating_sub(1));
    pace::apart(run, PAUSE_MS.saturating_mul(longer).min(PAUSE_MAX_MS))
}

/// Until when an agent that has failed only hears somebody's word; now, if no time is named. A time that
/// was noted before the clock was set back counts for nothing.
#[must_use]
pub fn resting(state: &AgentState, now: At) -> Option<At> {
    let failed = state.consecutive_failure_count > 0 && state.last_wake_at? <= now;
    state.next_wake_at.filter(|until| failed && *until > now)
}

/// What becomes of an agent whose state counts one more failure: it goes dormant if these are as many as
/// are borne, and its followers are told. `last` is what went wrong, for people.
///
/// # Errors
/// If it is dormant or over already.
pub fn dormancy(
    agent: &Record,
    counted: &AgentState,
    failures_max: u32,
    last: &str,
    at: At,
) -> Result<Option<Dormancy>, NoSuchStep> {
    let failures = counted.consecutive_failure_count;
    if failures < failures_max {
        return Ok(None);
    }
    let why = match failures {
        0 | 1 => format!("it failed: {last}"),
        many => format!("it failed {many} times in a row; the last time: {last}"),
    };
    dormancy::of(agent, LifeEvent::Fail, &why, at).map(Some)
}

/// An agent's state after a success: it is the only thing that sets the count back.
#[must_use]
pub fn forgotten(state: &AgentState) -> AgentState {
    AgentState { consecutive_failure_count: 0, next_wake_at: None, ..state.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dormancy::tests::agent;
    use types::{Digest, Lifecycle, Write, limits};

    const NOW: At = At::from_millis(1_000_000);

    fn after(failures: u32) -> AgentState {
        const MOST: u32 = limits::FAILURES_IN_A_ROW_MAX;
        let newborn = AgentState::newborn("agent_a".parse().unwrap());
        (0..failures).fold(newborn, |state, _| counted(&state, MOST, &RunKey(Digest::ZERO), NOW))
    }

    #[test]
    fn each_failure_in_a_row_makes_the_pause_longer() {
        let pauses: Vec<i64> =
            (1..8).map(|n| after(n).next_wake_at.unwrap().millis() - NOW.millis()).collect();
        let minutes: Vec<i64> = pauses.iter().map(|pause| pause / 60_000).collect();
        assert_eq!(minutes, [1, 4, 16, 64, 240, 240, 240], "it bears a night");
        assert_eq!(after(8).next_wake_at, None, "whoever resumes it says when");
        let sooner = counted(&after(1), 2, &RunKey(Digest::ZERO), NOW);
        assert_eq!(sooner.next_wake_at, None, "as many as somebody says");
        let bound = bounded(&after(2));
        assert_eq!((bound.consecutive_failure_count, bound.next_wake_at), (3, None));
        let no = refused(&after(2));
        assert_eq!((no.consecutive_failure_count, no.next_wake_at), (2, None));
        let again = forgotten(&after(4));
        assert_eq!((again.consecutive_failure_count, again.next_wake_at), (0, None));
    }

    #[test]
    fn it_rests_until_its_time_unless_the_clock_was_set_back_or_it_did_not_fail() {
        let failed = AgentState { last_wake_at: Some(NOW), ..after(1) };
        let until = failed.next_wake_at;
        assert_eq!((resting(&failed, NOW), resting(&failed, until.unwrap())), (until, None));
        assert_eq!(resting(&failed, NOW.plus_millis(-1)), None);
        let naps = AgentState { consecutive_failure_count: 0, ..failed };
        assert_eq!(resting(&naps, NOW), None);
    }

    #[test]
    fn the_last_failure_that_is_borne_makes_it_dormant_and_says_why() {
        let active = agent(Lifecycle::Active);
        let judged = |n| dormancy(&active, &after(n), 5, "no such key", NOW).unwrap();
        assert_eq!(judged(4), None);
        let plan = judged(5).unwrap();
        let Write::Event(told) = &plan.writes[1] else { panic!("nobody is told") };
        assert_eq!(told.body["lifecycle"]["cause"], "failures");
        let why = "it failed 5 times in a row; the last time: no such key";
        assert_eq!(told.body["why"], why);
        assert!(judged(9).is_some(), "one that was resumed and fails again");
    }
}
