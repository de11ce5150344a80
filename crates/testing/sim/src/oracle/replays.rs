//! Past turns: each comes out again as it was recorded, whatever it went through.

use store::{ReadRuns, wait};
use types::{ReplayedStep, RunKey, Verdict};

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

/// What of a turn comes out otherwise, or not at all: a question can be put again as long as no call was made twice, and
/// how the turn ended can be told.
fn differing(sim: &Sim, key: &RunKey) -> Vec<String> {
    let services = sim.services();
    let run = wait(services.store.run(*key)).expect("it can be read").expect("it has a turn");
    let agent = wait(services.fleet.agent_get(run.draft.agent.as_str())).expect("it has a turn");
    let steps = wait(services.turns.replay(run, &agent.identity)).expect("it can be read");
    let steps = steps.expect("it has a turn");
    // Its first question rests on nothing but its prompt.
    let must = |step: &ReplayedStep| step.step == "question 1" || step.step == "closure";
    let wrong = |step: &&ReplayedStep| match step.verdict {
        Verdict::Verified => false,
        Verdict::Recorded | Verdict::Erased => must(step),
        Verdict::Differs => true,
    };
    let wrong = steps.iter().filter(wrong);
    wrong.map(|step| format!("{key}, {}: {}", step.step, step.detail)).collect()
}
