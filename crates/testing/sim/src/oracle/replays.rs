//! Past turns: each comes out again as it was recorded, whatever it went through.

use store::{ReadRuns, wait};
use types::{RunKey, Verdict};

use crate::sim::Sim;

/// Judges.
pub(crate) fn judge(sim: &Sim) {
    let runs: Vec<RunKey> = sim.shared.book().deeds.turns.keys().copied().collect();
    let found: Vec<String> = runs.iter().flat_map(|run| differing(sim, run)).collect();
    let mut book = sim.shared.book();
    book.figures.add("replays", runs.len() as u64);
    for what in found {
        book.violate("a past turn comes out again as it was recorded", what);
    }
}

/// What of a turn comes out otherwise.
fn differing(sim: &Sim, key: &RunKey) -> Vec<String> {
    let services = sim.services();
    let run = wait(services.store.run(*key)).expect("it can be read").expect("it has a turn");
    let agent = wait(services.fleet.agent_get(run.draft.agent.as_str())).expect("it has a turn");
    let steps = wait(services.turns.replay(run, &agent.identity)).expect("it can be read");
    let steps = steps.unwrap_or_default().into_iter();
    let differing = steps.filter(|step| step.verdict == Verdict::Differs);
    differing.map(|step| format!("{key}, {}: {}", step.step, step.detail)).collect()
}
