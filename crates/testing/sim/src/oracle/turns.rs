//! Turns: each run that was taken with a model is over with a word to the operator.

use store::{ReadRecords, wait};
use types::{BriefKind, ContentRef, Domain, RunKey, TurnState};

use crate::book::{Book, EndKind};
use crate::sim::Sim;
use crate::store::SimStore;

/// Judges.
pub(crate) fn judge(sim: &Sim) {
    let store = sim.services().store;
    let mut book = sim.shared.book();
    let mut found = left_open(&book);
    found.extend(briefs(&book, &store));
    for what in found {
        book.violate("every turn is over, with a brief", what);
    }
}

fn left_open(book: &Book) -> Vec<String> {
    let open = book.deeds.turns.values().filter(|turn| turn.state == TurnState::Open);
    open.map(|turn| {
        let (name, run) = (book.name(&turn.agent_id), turn.run_key);
        let ended = book.runs.get(&run).and_then(|run| run.ended);
        format!("the turn of {name} for {run} is still open, and the run ended {ended:?}")
    })
    .collect()
}

/// Every run that came to its end by a turn has one that says what came of it.
fn briefs(book: &Book, store: &SimStore) -> Vec<String> {
    let mut found = Vec::new();
    for (key, run) in &book.runs {
        let agent = book.agents.get(&run.draft.agent);
        let Some(agent) = agent.filter(|agent| agent.tends.is_some()) else { continue };
        let Some((_, kind)) = run.ended.filter(|_| run.begun) else { continue };
        let wanted = match kind {
            EndKind::Completed => BriefKind::Result,
            EndKind::Failed | EndKind::Cancelled => BriefKind::Failure,
            EndKind::Sleeping | EndKind::Destroyed => continue,
        };
        let name = book.name(&agent.id);
        match brief(book, key) {
            // Who finds its task gone only says so by resting.
            None if book.deeds.bereft.contains(key) => {}
            // Who may not look at it leaves a receipt.
            None if book.deeds.out_of_sight.contains(key) => {}
            None => found.push(format!("{name} ended {key} ({kind:?}) without a brief")),
            Some((kind, _)) if kind != wanted => {
                found.push(format!("{name} ended {key} with a brief of another kind"));
            }
            Some((_, at)) => {
                let words = wait(store.content(Domain::Agent, at)).expect("it can be read");
                if words.is_none_or(|words| words.bytes.trim_ascii().is_empty()) {
                    found.push(format!("{name} ended {key} with a brief that says nothing"));
                }
            }
        }
    }
    found
}

fn brief(book: &Book, run: &RunKey) -> Option<(BriefKind, ContentRef)> {
    match &book.deeds.turns.get(run)?.state {
        TurnState::Settled { brief, .. } => Some((brief.kind, brief.content.clone())),
        TurnState::Open => None,
    }
}
