//! Who could begin, and in which order.

use types::{Gate, Priority, ReadyRun, RunDraft, Write};

use super::Harness;
use super::given::{
    NOON, agent, agent_id, apply, key, queue, read, ready, ready_runs, start, word,
};

fn ranked(number: u16, name: &str, priority: Priority) -> Write {
    queue(RunDraft { priority, ..word(number, name) })
}

fn gate(number: u16, millis: i64) -> Write {
    Write::GateRun { run_key: key(number), gate: Gate::Until(NOON.plus_millis(millis)) }
}

/// By priority, and within one by arrival; of each agent the first, so that a full mailbox hides
/// nobody.
pub fn ready_runs_come_in_the_order_of_rank(harness: &mut impl Harness) {
    let store = harness.open();
    let runs = vec![
        ranked(1, "a", Priority::Background),
        ranked(2, "b", Priority::Normal),
        ranked(3, "c", Priority::Normal),
        ranked(4, "d", Priority::Interject),
        ranked(5, "a", Priority::Next),
        ranked(6, "e", Priority::Background),
    ];
    apply(&*store, agent(runs));
    assert_eq!(ready(&*store, NOON), [4, 5, 2, 3, 6]);
    let first = ReadyRun { agent: agent_id("d"), number: 4, priority: Priority::Interject };
    assert_eq!(ready_runs(&*store, NOON, 1), [first]);
    let own = read(store.briefing(agent_id("a"), NOON)).run.expect("one may begin");
    assert_eq!(own.number, 5, "an agent's own runs go by rank too");
    apply(&*store, agent(vec![start(4)]));
    assert_eq!(ready(&*store, NOON), [5, 2, 3, 6]);
}

/// A priority is a head start: what has waited long enough is overtaken no more.
pub fn what_has_waited_long_comes_before_what_is_urgent(harness: &mut impl Harness) {
    let store = harness.open();
    let name = |n: u16| if n <= 8 { format!("early{n}") } else { "crowd".to_owned() };
    let mut runs: Vec<Write> = (1..=1_030).map(|n| ranked(n, &name(n), Priority::Normal)).collect();
    runs.push(ranked(1_031, "b", Priority::Next));
    apply(&*store, agent(runs));
    assert_eq!(ready(&*store, NOON), [1, 2, 3, 4, 5, 6, 7, 1_031, 8, 9]);
}

/// What waited for a time is in its place when that has come, and not before.
pub fn due_runs_take_their_place_in_the_order(harness: &mut impl Harness) {
    let store = harness.open();
    let runs = vec![
        ranked(1, "a", Priority::Normal),
        ranked(2, "b", Priority::Interject),
        ranked(3, "c", Priority::Next),
        ranked(4, "d", Priority::Normal),
    ];
    apply(&*store, agent(runs));
    apply(&*store, agent(vec![gate(2, 20), gate(3, 10), gate(4, 99)]));
    for (millis, expected) in
        [(0, vec![1]), (10, vec![3, 1]), (20, vec![2, 3, 1]), (99, vec![2, 3, 1, 4])]
    {
        assert_eq!(ready(&*store, NOON.plus_millis(millis)), expected, "{millis}");
    }
}

/// However long each has waited for its time.
pub fn a_page_of_ready_runs_holds_the_first_in_rank(harness: &mut impl Harness) {
    let store = harness.open();
    let runs = vec![
        ranked(1, "a", Priority::Normal),
        ranked(2, "b", Priority::Next),
        ranked(3, "c", Priority::Interject),
        ranked(4, "d", Priority::Background),
    ];
    apply(&*store, agent(runs));
    apply(&*store, agent(vec![gate(1, 1), gate(3, 2)]));
    let now = NOON.plus_millis(5);
    for (limit, expected) in [(0, vec![]), (1, vec![3]), (2, vec![3, 2]), (3, vec![3, 2, 1])] {
        let page = ready_runs(&*store, now, limit);
        let numbers: Vec<u64> = page.iter().map(|run| run.number).collect();
        assert_eq!(numbers, expected, "a page of {limit}");
    }
}
