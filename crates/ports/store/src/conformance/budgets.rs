//! What agents spend in a day: set aside, and settled.

use types::{Account, Amounts, Day, ReportScope, RunEnd, ThreadId, Write};

use super::Harness;
use super::given::{self, agent, agent_id, apply, end, id, key, read, word};
use crate::{Recall, Store};

fn monday() -> Day {
    id("2026-11-16")
}

fn tuesday() -> Day {
    id("2026-11-17")
}

/// Some of everything, so that each column shows if it is mixed up with another.
fn some(tokens: u64) -> Amounts {
    let (cost_micros, tool_calls, runtime_ms) = (10 * tokens, 2 * tokens, 100 * tokens);
    Amounts { tokens, cost_micros, tool_calls, runtime_ms }
}

fn reserve(run: u16, tokens: u64) -> Write {
    let (agent, day, amounts) = (agent_id("a"), monday(), some(tokens));
    Write::Reserve { agent, day, run_key: key(run), amounts }
}

fn settle(run: u16, day: Day, tokens: u64) -> Write {
    Write::Settle { agent: agent_id("a"), day, run_key: key(run), amounts: some(tokens) }
}

fn account(store: &dyn Store, day: Day) -> Account {
    read(store.account(agent_id("a"), day))
}

fn has(spent: u64, reserved: u64) -> Account {
    Account { spent: some(spent), reserved: some(reserved) }
}

/// What is settled replaces what was set aside, on the day that it is settled for.
pub fn what_is_set_aside_is_let_go_when_it_is_settled(harness: &mut impl Harness) {
    let store = harness.open();
    assert_eq!(account(&*store, monday()), has(0, 0));
    apply(&*store, agent(vec![reserve(1, 50), reserve(2, 7)]));
    assert_eq!(account(&*store, monday()), has(0, 57));
    apply(&*store, agent(vec![settle(1, monday(), 20)]));
    assert_eq!(account(&*store, monday()), has(20, 7));
    // Midnight has passed: the day before keeps what it had, and what is under way counts on every day.
    assert_eq!(account(&*store, tuesday()), has(0, 7));
    apply(&*store, agent(vec![settle(2, tuesday(), 3)]));
    assert_eq!(account(&*store, monday()), has(20, 0));
    assert_eq!(account(&*store, tuesday()), has(3, 0));
    // One that set nothing aside can settle too, and another agent has an account of its own.
    apply(&*store, agent(vec![settle(3, tuesday(), 4)]));
    assert_eq!(account(&*store, tuesday()), has(7, 0));
    assert_eq!(read(store.account(agent_id("b"), monday())), has(0, 0));
}

/// A run that is taken up again sets aside anew. What it had set aside before was perhaps spent, nobody
/// knows, so it counts as spent.
pub fn what_was_set_aside_and_never_settled_counts_as_spent(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![reserve(1, 60)]));
    drop(store);
    let store = harness.open();
    apply(&*store, agent(vec![reserve(1, 40)]));
    assert_eq!(account(&*store, monday()), has(60, 40));
    apply(&*store, agent(vec![settle(1, monday(), 5)]));
    assert_eq!(account(&*store, monday()), has(65, 0));
}

/// The same for a run that ends without having settled: nothing stays set aside for it. One that settles
/// with its end spends what it says.
pub fn what_an_ended_run_has_set_aside_counts_as_spent(harness: &mut impl Harness) {
    let store = harness.open();
    let queued = |number| given::queue(word(number, "a"));
    apply(&*store, agent(vec![queued(1), queued(2), reserve(1, 60), reserve(2, 30)]));
    apply(&*store, agent(vec![end(1, RunEnd::SkippedDestroyed)]));
    assert_eq!(account(&*store, monday()), has(60, 30));
    apply(&*store, agent(vec![settle(2, monday(), 5), end(2, RunEnd::Done)]));
    assert_eq!(account(&*store, monday()), has(65, 0));
}

/// A restart gives nobody a new budget.
pub fn accounts_are_there_after_reopening(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, agent(vec![reserve(1, 10), settle(2, monday(), 20)]));
    drop(store);
    let store = harness.open();
    assert_eq!(account(&*store, monday()), has(20, 10));
}

/// A run is shown what the others have set aside, whether its own is there yet or not.
pub fn a_run_is_not_shown_what_it_has_set_aside_itself(harness: &mut impl Harness) {
    let store = harness.open();
    let seen_by = |run| {
        let recall = Recall {
            agent: agent_id("a"),
            state: id("state_a"),
            thread: ThreadId::from_stored("agent_a:main".to_owned()),
            session: None,
            envelope: None,
            scope: ReportScope::Current,
            day: monday(),
            run: key(run),
            notes: 1,
            messages: 1,
            tasks: vec![],
        };
        read(store.background(recall)).account
    };
    apply(&*store, agent(vec![reserve(1, 50), settle(2, monday(), 20)]));
    assert_eq!((seen_by(1), seen_by(2)), (has(20, 0), has(20, 50)));
    apply(&*store, agent(vec![reserve(2, 7)]));
    assert_eq!((seen_by(1), seen_by(2)), (has(20, 7), has(20, 50)));
}
