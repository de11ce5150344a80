use std::path::Path;

use store::{Store, wait};
use types::{
    AgentId, At, Author, Commit, Compare, Condition, Digest, Domain, Gate, Outcome, Predicate,
    Priority, RecordDraft, RecordId, RunDraft, RunEnd, RunKey, Subscription, ThreadId, Token,
    Usage, Wait, WaitFor, WaitState, WakeReason, Write,
};

use crate::config::Config;
use crate::{Home, connection};

fn agent() -> AgentId {
    "agent_a".parse().unwrap()
}

fn key(number: u8) -> RunKey {
    RunKey(Digest::from_bytes([number; 32]))
}

fn look(number: u8, priority: Priority) -> Write {
    Write::QueueRun(RunDraft {
        run_key: key(number),
        agent: agent(),
        reason: WakeReason::Subscription,
        reason_id: None,
        thread: ThreadId::from_stored(format!("agent_a:run:{number}")),
        logical_change_key: None,
        priority,
        envelope: None,
        not_before: None,
        insist: false,
        model: None,
    })
}

fn put(id: &str, body: impl Into<types::Body>) -> Write {
    let id: RecordId = id.parse().unwrap();
    Write::Record(RecordDraft::live(id, body))
}

fn subscription(all: Vec<Condition>) -> Subscription {
    let predicate = Some(Predicate { kind: "TASK".to_owned(), all });
    let tokens = vec![Token::semantic("TASK").unwrap()];
    Subscription { predicate, ..Subscription::to(agent(), tokens) }
}

fn a_wait(state: WaitState) -> Wait {
    Wait {
        agent_id: agent(),
        waiting_for: WaitFor::Operator,
        description: "a word".to_owned(),
        run_key: key(1),
        deadline: At::EPOCH.plus_millis(5),
        state,
    }
}

/// A home with every kind of row that the check looks at.
fn fill(folder: &Path) {
    let home = Home::at(folder);
    let lock = home.lock().unwrap();
    let store = home.open(lock, &"host_case".parse().unwrap(), &Config::default()).unwrap();
    let done =
        |compare| Condition { property: "status".to_owned(), compare, value: "done".to_owned() };
    let end = Write::EndRun { run_key: key(1), end: RunEnd::Done, usage: Usage::default() };
    let held = Write::GateRun { run_key: key(3), gate: Gate::Held };
    let commits = [
        vec![put("subscription_plain", subscription(vec![]))],
        vec![put("subscription_equal", subscription(vec![done(Compare::Equal)]))],
        vec![put("subscription_other", subscription(vec![done(Compare::NotEqual)]))],
        vec![put("subscription_off", Subscription { active: false, ..subscription(vec![]) })],
        vec![put("wait_open", a_wait(WaitState::Open))],
        vec![put("wait_met", a_wait(WaitState::Open))],
        vec![put("wait_met", a_wait(WaitState::Met))],
        vec![look(1, Priority::Background), look(2, Priority::Next)],
        vec![end],
        vec![look(3, Priority::Normal), look(4, Priority::Interject)],
        vec![held],
    ];
    for writes in commits {
        let commit = Commit::new(Domain::Agent, Author::Operator, At::EPOCH, writes);
        assert!(matches!(wait(store.commit(commit)).unwrap(), Outcome::Applied(_)));
    }
}

fn findings(folder: &Path) -> Vec<String> {
    let path = Home::at(folder).path(Domain::Agent);
    crate::check::check(&path, Domain::Agent, &Config::default()).unwrap().findings
}

#[test]
fn what_the_store_wrote_agrees_with_itself() {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path());
    assert_eq!(findings(folder.path()), Vec::<String>::new());
}

#[test]
fn every_disagreement_is_found_and_nothing_else() {
    let merged = "merged_into IS NOT NULL AND completed_at IS";
    let cases = [
        ("DELETE FROM listeners WHERE subscription_id = 'subscription_equal'", "does not listen"),
        ("UPDATE listeners SET plain = 1 - plain WHERE token LIKE 'sub%'", "does not listen"),
        ("INSERT INTO listeners VALUES ('x', 'subscription_off', 'agent_a', 1)", "listens without"),
        (
            "INSERT INTO listeners
             VALUES ('semanticKey|-|TASK', 'subscription_equal', 'agent_a', 1)",
            "listens without",
        ),
        ("INSERT INTO listeners VALUES ('x', 'subscription_none', 'a', 1)", "listens without"),
        ("DELETE FROM waits", "a wait is not found under what it is, wait wait_open"),
        ("UPDATE waits SET deadline = 6", "a wait is not found under what it is, wait wait_open"),
        (
            "INSERT INTO waits VALUES ('wait_met', 'agent_a', 'operator:operator', 5)",
            "a wait is not found under what it is, wait wait_met",
        ),
        ("INSERT INTO waits VALUES ('wait_no', 'agent_a', 'x', 5)", "waits without a wait"),
        (
            &format!("UPDATE runs SET merged_into = x'00' WHERE {merged} NULL"),
            "merged into one that does not exist",
        ),
        (
            &format!(
                "UPDATE runs SET status = 'queued', completed_at = NULL WHERE {merged} NOT NULL"
            ),
            "has not ended together with its target",
        ),
        ("UPDATE runs SET status = 'started', held = 0 WHERE n > 2", "more than one run"),
    ];
    for (sql, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        fill(folder.path());
        let path = Home::at(folder.path()).path(Domain::Agent);
        let connection = connection::open_writer(&path, &Config::default()).unwrap();
        connection.execute_batch(sql).unwrap();
        drop(connection);
        let found = findings(folder.path());
        assert_eq!(found.len(), 1, "{sql}: {found:?}");
        assert!(found[0].contains(expected), "{sql}: {found:?}");
    }
}
