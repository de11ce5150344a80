//! Waits: nobody waits for what is over.

use store::{ReadDue, wait};
use types::{Body, ScheduleStatus, WaitFor, WaitState};

use crate::book::{Book, WaitBook};
use crate::sim::Sim;

/// Judges when nothing is left to do at this time: no open wait is past its deadline or waits for
/// something that is over.
pub(crate) fn settled(sim: &Sim) {
    let now = sim.shared.now();
    let mut book = sim.shared.book();
    let mut found = Vec::new();
    for known in book.waits.values().filter(|known| known.ended.is_none()) {
        let source = known.wait.waiting_for.source();
        let agent = book.name(&known.wait.agent_id);
        if known.wait.deadline <= now {
            found.push(format!("{agent} waits for {source} past its deadline"));
        }
        if is_over(&book, known) {
            found.push(format!("{agent} waits for {source}, which is over"));
        }
    }
    for what in found {
        book.violate("nobody waits for nothing", what);
    }
}

fn is_over(book: &Book, known: &WaitBook) -> bool {
    match &known.wait.waiting_for {
        WaitFor::Timer { schedule } => {
            let found = book.schedules.iter().find(|(id, _)| id.as_str() == schedule);
            let live = |status| matches!(status, ScheduleStatus::Active | ScheduleStatus::Paused);
            found.is_some_and(|(_, found)| !live(found.body.status))
        }
        WaitFor::External { trigger } => {
            let found = book.triggers.iter().find(|(id, _)| id.as_str() == trigger);
            found.is_some_and(|(_, (_, active))| !active)
        }
        WaitFor::Job { job } => book.results.iter().any(|(agent, result, order)| {
            *agent == known.wait.agent_id && result == job && *order > known.since
        }),
        WaitFor::Operator | WaitFor::Approval { .. } => false,
    }
}

/// Judges at the end, by the files: every deadline has passed, so nobody waits any more.
pub(crate) fn at_the_end(sim: &Sim) {
    let store = sim.services().store;
    let mut book = sim.shared.book();
    let mut found = Vec::new();
    for agent in book.agents.keys() {
        let open = wait(store.open_waits(agent.clone(), 1_000)).expect("waits can be read");
        for record in open {
            if let Body::AgentWait(wait) = record.body
                && wait.state == WaitState::Open
            {
                let source = wait.waiting_for.source();
                found.push(format!("{} still waits for {source}", book.name(agent)));
            }
        }
    }
    for what in found {
        book.violate("nobody waits for nothing", what);
    }
}
