//! Budgets: what was asked and spent is counted, and nothing stays set aside.

use store::{ReadRuns, wait};
use types::AgentId;

use crate::book::Book;
use crate::sim::Sim;
use crate::store::SimStore;

/// Judges.
pub(crate) fn judge(sim: &Sim) {
    let store = sim.services().store;
    let mut book = sim.shared.book();
    let agents: Vec<AgentId> = book.deeds.ledgers.keys().cloned().collect();
    let found: Vec<String> =
        agents.iter().flat_map(|agent| judge_one(&book, &store, agent)).collect();
    for what in found {
        book.violate("every token is counted", what);
    }
    for what in questions(&book) {
        book.violate("every question counts on its run", what);
    }
}

/// What was asked in a run is what counts on it, unless a process died that knew of it.
fn questions(book: &Book) -> Vec<String> {
    let over = book.runs.iter().filter(|(_, run)| run.ended.is_some()).map(|(key, _)| key);
    let wrong = over.filter_map(|run| {
        let asked = book.deeds.asks.values().filter(|ask| ask.run == Some(*run)).count() as u64;
        let counted = book.deeds.counted.get(run).copied().unwrap_or(0);
        let missing = counted < asked && !book.deeds.died_over.contains(run);
        let what = || format!("{asked} questions were asked in {run}, and {counted} count");
        (missing || counted > asked).then(what)
    });
    wrong.collect()
}

fn judge_one(book: &Book, store: &SimStore, agent: &AgentId) -> Vec<String> {
    let (name, ledger) = (book.name(agent), &book.deeds.ledgers[agent]);
    let mut found = Vec::new();
    if !ledger.aside.is_empty() {
        found.push(format!("{name} keeps something set aside for {} runs", ledger.aside.len()));
    }
    let mut spent = 0;
    for (day, expected) in &ledger.spent {
        let account = wait(store.account(agent.clone(), *day)).expect("it can be read");
        if account.reserved.tokens > 0 {
            found.push(format!("{name} has {} tokens set aside", account.reserved.tokens));
        }
        if account.spent.tokens != expected.tokens {
            let (was, is) = (expected.tokens, account.spent.tokens);
            found.push(format!("{name} settled {was} tokens on {day}, and {is} are counted"));
        }
        spent += account.spent.tokens;
    }
    let heard: u64 =
        book.deeds.asks.values().filter(|ask| ask.agent == *agent).map(|ask| ask.tokens).sum();
    if spent < heard {
        found.push(format!("{name} heard {heard} tokens, and {spent} are counted"));
    }
    found
}
