//! What agents may spend in a day: set aside, settled, and never more than that.

use types::{
    Account, Amounts, BudgetLimits, Code, Commit, Conflict, Day, Guard, Outcome, ReportScope,
    RunEnd, ThreadId, Write,
};

use super::Harness;
use super::given::{self, agent, agent_id, apply, conflict, end, id, key, read, word};
use crate::{Recall, Store, wait};

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

fn within(tokens: u64) -> BudgetLimits {
    BudgetLimits { tokens: Some(tokens), ..BudgetLimits::default() }
}

fn reserve(run: u16, tokens: u64) -> Write {
    let (agent, day, amounts) = (agent_id("a"), monday(), some(tokens));
    Write::Reserve { agent, day, run_key: key(run), amounts }
}

fn settle(run: u16, day: Day, tokens: u64) -> Write {
    Write::Settle { agent: agent_id("a"), day, run_key: key(run), amounts: some(tokens) }
}

/// Sets aside on the condition that the agent stays within so many tokens.
fn reserved(run: u16, tokens: u64, limit: u64) -> Commit {
    let (who, day, limits) = (agent_id("a"), monday(), within(limit));
    agent(vec![reserve(run, tokens)]).guarded(Guard::Budget { agent: who, day, limits })
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

/// One too many is a conflict that names what of, and nothing of its commit happens.
pub fn what_goes_beyond_a_budget_is_a_conflict(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, reserved(1, 60, 100));
    let found = conflict(&*store, reserved(2, 41, 100));
    let (agent, day) = (agent_id("a"), monday());
    assert_eq!(found, Conflict::Budget { agent, day, what: "tokens" });
    assert_eq!(found.code(), Code::BudgetExceeded);
    assert_eq!(account(&*store, monday()), has(0, 60));
    apply(&*store, reserved(2, 40, 100));
    // Everything set aside by one commit counts together.
    let mut both = reserved(3, 1, 101);
    both.writes.push(reserve(4, 1));
    conflict(&*store, both);
}

/// Each of the four is a limit of its own, and one that is absent is none.
pub fn every_kind_of_budget_holds_by_itself(harness: &mut impl Harness) {
    let store = harness.open();
    let none = BudgetLimits::default();
    let limits = [
        ("tokens", BudgetLimits { tokens: Some(0), ..none }),
        ("cost", BudgetLimits { cost_micros: Some(9), ..none }),
        ("tool_calls", BudgetLimits { tool_calls: Some(1), ..none }),
        ("runtime", BudgetLimits { runtime_ms: Some(99), ..none }),
    ];
    let under = |limits: BudgetLimits| {
        let guard = Guard::Budget { agent: agent_id("a"), day: monday(), limits };
        agent(vec![reserve(1, 1)]).guarded(guard)
    };
    for (name, limits) in limits {
        let found = conflict(&*store, under(limits));
        assert!(matches!(found, Conflict::Budget { what, .. } if what == name), "{found:?}");
    }
    apply(&*store, under(none));
}

/// A run that is taken up again sets aside anew. What it had set aside before was perhaps spent, nobody
/// knows, so it counts as spent.
pub fn what_was_set_aside_and_never_settled_counts_as_spent(harness: &mut impl Harness) {
    let store = harness.open();
    apply(&*store, reserved(1, 60, 100));
    drop(store);
    let store = harness.open();
    conflict(&*store, reserved(1, 41, 100));
    apply(&*store, reserved(1, 40, 100));
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
    conflict(&*store, reserved(3, 71, 100));
    apply(&*store, reserved(3, 70, 100));
}

/// All are on their way before the first is awaited, so that they meet in groups.
pub fn runs_at_once_keep_to_a_budget_together(harness: &mut impl Harness) {
    let store = harness.open();
    let answers: Vec<_> = (0..40).map(|run| store.commit(reserved(run, 10, 75))).collect();
    let applied = answers
        .into_iter()
        .map(|answer| wait(answer).expect("the store takes the commit"))
        .filter(|outcome| matches!(outcome, Outcome::Applied(_)))
        .count();
    assert_eq!(applied, 7);
    assert_eq!(account(&*store, monday()), has(0, 70));
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
