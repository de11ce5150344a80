//! No signal is lost: a skipped wake, a hint, the end of a wait and a nap are followed by a look.

use store::{ReadChanges, ReadRuns, wait};
use types::{AgentId, CursorName, Domain, Position};

use crate::book::Book;
use crate::sim::Sim;
use crate::store::SimStore;

/// Judges.
pub(crate) fn judge(sim: &Sim) {
    let store = sim.services().store;
    let mut book = sim.shared.book();
    let mut found = slept_through(&book);
    found.extend(hints(&book, &store));
    found.extend(ended_waits(&book, &store));
    for (property, what) in found {
        book.violate(property, what);
    }
}

type Found = Vec<(&'static str, String)>;

fn slept_through(book: &Book) -> Found {
    let mut found = Vec::new();
    for (agent, run, order) in &book.slept {
        if !book.looked_after(agent, *order, false) {
            let what = format!("{} slept through {run} and never looked after", book.name(agent));
            found.push(("a skipped wake is made up for", what));
        }
    }
    for (agent, order) in &book.naps {
        if !book.looked_after(agent, *order, false) {
            found.push(("no wake is lost", format!("{} never woke from a nap", book.name(agent))));
        }
    }
    found
}

/// A hint is kept until its agent has looked, so at the end none is left; and one that says
/// something was shown to a turn.
fn hints(book: &Book, store: &SimStore) -> Found {
    let mut found = Vec::new();
    for agent in book.agents.keys() {
        let last =
            book.hints.iter().filter(|hint| hint.agent == *agent).map(|hint| hint.order).max();
        let Some(last) = last.filter(|last| !book.excused(agent, *last)) else { continue };
        let left = wait(store.hints(agent.clone())).expect("hints can be read");
        if !left.is_empty() {
            let what = format!("{} was never shown a hint that waits for it", book.name(agent));
            found.push(("no hint is lost", what));
        }
        let said = book.hints.iter().filter(|hint| hint.agent == *agent && hint.payload);
        let said = said.map(|hint| hint.order).max();
        if said.is_some_and(|said| !book.looked_after(agent, said, true)) {
            let what =
                format!("no turn of {} followed a hint; the last at {last}", book.name(agent));
            found.push(("no hint is lost", what));
        }
    }
    found
}

/// Whoever waited has looked through its log beyond the end of the wait.
fn ended_waits(book: &Book, store: &SimStore) -> Found {
    let looked_to = |agent: &AgentId| -> Position {
        let name = CursorName::of_agent(agent);
        wait(store.cursor(Domain::Agent, name, Domain::Agent)).expect("cursors can be read")
    };
    let mut found = Vec::new();
    for known in book.waits.values() {
        let agent = &known.wait.agent_id;
        let Some((order, position)) = known.ended else { continue };
        if book.excused(agent, order) || known.met_in_turn || looked_to(agent) >= position {
            continue;
        }
        let source = known.wait.waiting_for.source();
        let what = format!("{} never heard that {source} was over", book.name(agent));
        found.push(("no wake is lost", what));
    }
    found
}
