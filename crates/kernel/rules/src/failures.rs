//! Failures in a row: each makes an agent wait longer, and too many make it dormant.

use types::{AgentState, At, Record, RunKey};

use crate::dormancy::{self, Dormancy};
use crate::lifecycle::{LifeEvent, NoSuchStep};
use crate::pace;

/// So many failures in a row, unless somebody says otherwise: the provider, the key or the prompt is
/// wrong, and going on would only spend.
pub const FAILURES_MAX: u32 = 5;

/// An agent's state after one more failure: counted, and when it means to look again. Each failure
/// doubles the pause.
#[must_use]
pub fn counted(state: &AgentState, run: &RunKey, now: At) -> AgentState {
    let failures = state.consecutive_failure_count.saturating_add(1);
    AgentState {
        consecutive_failure_count: failures,
        next_wake_at: Some(pace::back_off(run, failures, now)),
        ..state.clone()
    }
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
    let why = format!("it failed {failures} times in a row; the last time: {last}");
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
    use types::{Digest, Lifecycle, Write};

    const NOW: At = At::from_millis(1_000_000);

    fn after(failures: u32) -> AgentState {
        let newborn = AgentState::newborn("agent_a".parse().unwrap());
        (0..failures).fold(newborn, |state, _| counted(&state, &RunKey(Digest::ZERO), NOW))
    }

    #[test]
    fn each_failure_in_a_row_makes_the_pause_longer() {
        let pauses: Vec<i64> =
            (1..=4).map(|n| after(n).next_wake_at.unwrap().millis() - NOW.millis()).collect();
        assert_eq!(pauses, [2_000, 4_000, 8_000, 16_000]);
        let again = forgotten(&after(4));
        assert_eq!((again.consecutive_failure_count, again.next_wake_at), (0, None));
    }

    #[test]
    fn the_fifth_failure_in_a_row_makes_it_dormant_and_says_why() {
        let active = agent(Lifecycle::Active);
        let judged = |n| dormancy(&active, &after(n), FAILURES_MAX, "no such key", NOW).unwrap();
        assert_eq!(judged(4), None);
        let plan = judged(5).unwrap();
        let Write::Event(told) = &plan.writes[1] else { panic!("nobody is told") };
        assert_eq!(told.body["lifecycle"]["cause"], "failures");
        let why = "it failed 5 times in a row; the last time: no such key";
        assert_eq!(told.body["why"], why);
        assert!(judged(9).is_some(), "one that was resumed and fails again");
    }
}
