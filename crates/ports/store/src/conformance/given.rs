//! Small values for the cases.

use types::{
    AgentConfig, AgentId, AgentIdentity, AgentKind, AgentState, Applied, At, AuditDraft, Author,
    Commit, Conflict, Digest, Domain, Lifecycle, LinkDraft, Mode, OperationDraft, Outcome,
    Ownership, Priority, Profile, ReadyRun, Receipt, RecordDraft, RecordId, Relation, Run,
    RunDraft, RunEnd, RunKey, Subscription, Task, TaskStatus, ThreadId, Token, Usage, Visibility,
    WakeReason, Write,
};

use crate::{Store, StoreError, wait};

pub(super) const NOON: At = At::from_millis(1_800_000_000_000);

/// Parses a value that the case spells out.
pub(super) fn id<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("the case spells ids right")
}

pub(super) fn task(title: &str, category: &str, status: TaskStatus) -> Task {
    Task { status, ..Task::new(title, id(category)) }
}

/// A task in `category_home`.
pub(super) fn put_task(name: &str) -> Write {
    let body = task(name, "category_home", TaskStatus::Open);
    Write::Record(RecordDraft::live(id::<RecordId>(&format!("task_{name}")), body))
}

pub(super) fn agent_id(name: &str) -> AgentId {
    id(&format!("agent_{name}"))
}

/// An agent with its state and the link between them.
pub(super) fn put_agent(name: &str) -> Vec<Write> {
    let agent = agent_id(name);
    let state: types::StateId = id(&format!("state_{name}"));
    let identity = AgentIdentity {
        agent_id: agent.clone(),
        template: "watcher".to_owned(),
        kind: AgentKind::Named,
        display_name: name.to_owned(),
        lifecycle: Lifecycle::Active,
        mode: Mode::Autonomous,
        visibility: Visibility::Public,
        ownership: Ownership::SelfOwned,
        profile: Profile::PublicNamed,
        agent_home: format!("agents/{agent}"),
        lineage_parent_agent_id: None,
        task_id: None,
        allowed_category_ids: [id("category_home")].into(),
        current_state_id: state.clone(),
        config: AgentConfig::default(),
    };
    vec![
        Write::Record(RecordDraft::live(&agent, identity)),
        Write::Record(RecordDraft::live(&state, AgentState::newborn(agent.clone()))),
        put_link(&format!("link_{name}"), agent.as_str(), state.as_str(), Relation::AgentState),
    ]
}

pub(super) fn put_link(link: &str, from: &str, to: &str, relation: Relation) -> Write {
    Write::Link(LinkDraft {
        id: id(link),
        from: id(from),
        to: id(to),
        relation,
        hidden: false,
        body: serde_json::Map::new(),
        deleted: false,
    })
}

pub(super) fn put_subscription(agent: &str, tokens: &[Token], active: bool) -> Write {
    let body = Subscription { active, ..Subscription::to(agent_id(agent), tokens.to_vec()) };
    let record: types::RecordId = id(&format!("subscription_{agent}"));
    Write::Record(RecordDraft::live(record, body))
}

pub(super) fn key(number: u16) -> RunKey {
    let mut bytes = [0; 32];
    bytes[..2].copy_from_slice(&number.to_be_bytes());
    RunKey(Digest::from_bytes(bytes))
}

/// Somebody's word: it is never merged.
pub(super) fn word(number: u16, name: &str) -> RunDraft {
    let run_key = key(number);
    RunDraft {
        run_key,
        agent: agent_id(name),
        reason: WakeReason::Manual,
        reason_id: Some("subscription_a".to_owned()),
        thread: ThreadId::from_stored(format!("agent_{name}:run:{run_key}")),
        logical_change_key: Some(Digest::ZERO),
        priority: Priority::Normal,
        envelope: None,
        not_before: None,
        insist: false,
        model: None,
    }
}

/// A wake that only says "look".
pub(super) fn look(number: u16, name: &str) -> RunDraft {
    RunDraft { reason: WakeReason::Subscription, ..word(number, name) }
}

/// A wake that reads an envelope.
pub(super) fn letter(number: u16, name: &str) -> RunDraft {
    let envelope = Some(id(&format!("envelope_{number}")));
    RunDraft { reason: WakeReason::UserInitiated, envelope, ..word(number, name) }
}

pub(super) fn queue(draft: RunDraft) -> Write {
    Write::QueueRun(draft)
}

pub(super) fn start(number: u16) -> Write {
    Write::StartRun { run_key: key(number) }
}

/// Puts a run back that failed and has spent nothing.
pub(super) fn put_back(number: u16) -> Write {
    let (run_key, usage) = (key(number), Usage::default());
    Write::RetryRun { run_key, not_before: None, failed: true, usage }
}

/// Ends a run that spent a little.
pub(super) fn end(number: u16, end: RunEnd) -> Write {
    let usage = Usage { model_calls: 1, tokens_in: 2, tokens_out: 3 };
    Write::EndRun { run_key: key(number), end, usage }
}

pub(super) fn receipt() -> Receipt {
    Receipt {
        rule: "nothing_changed".to_owned(),
        changes_seen: 0,
        journal_from: types::Position(1),
        journal_to: types::Position(2),
        agent_from: types::Position(3),
        agent_to: types::Position(4),
    }
}

/// A run that the case has queued.
pub(super) fn logged(store: &dyn Store, number: u16) -> Run {
    read(store.run(key(number))).expect("the run is in the log")
}

/// The first so many runs that could begin at a time, in their order.
pub(super) fn ready_runs(store: &dyn Store, now: At, limit: usize) -> Vec<ReadyRun> {
    read(store.outlook(now, limit)).ready
}

/// The numbers of the runs that could begin at a time, in their order.
pub(super) fn ready(store: &dyn Store, now: At) -> Vec<u64> {
    ready_runs(store, now, 100).iter().map(|run| run.number).collect()
}

pub(super) fn journal(writes: Vec<Write>) -> Commit {
    Commit::new(Domain::Journal, Author::Operator, NOON, writes)
}

pub(super) fn agent(writes: Vec<Write>) -> Commit {
    Commit::new(Domain::Agent, Author::Operator, NOON, writes)
}

pub(super) fn later(commit: Commit, millis: i64) -> Commit {
    Commit { at: commit.at.plus_millis(millis), ..commit }
}

pub(super) fn audited(commit: Commit, subject: &str) -> Commit {
    let (subject, detail) = (subject.to_owned(), String::new());
    Commit { audit: vec![AuditDraft { action: "case", subject, detail }], ..commit }
}

pub(super) fn operation(number: u8, subject: &str, result: serde_json::Value) -> OperationDraft {
    let id_bytes = types::Digest::from_bytes([number; 32]);
    OperationDraft {
        id: types::OperationId(id_bytes),
        verb: "case",
        subject: id(subject),
        run_key: None,
        result,
    }
}

/// Commits and expects success.
pub(super) fn apply(store: &dyn Store, commit: Commit) -> Applied {
    match wait(store.commit(commit)).expect("the store takes the commit") {
        Outcome::Applied(applied) => applied,
        other => panic!("expected the commit to be applied, got {other:?}"),
    }
}

/// Commits and expects a conflict.
pub(super) fn conflict(store: &dyn Store, commit: Commit) -> Conflict {
    match wait(store.commit(commit)).expect("the store takes the commit") {
        Outcome::Conflict(conflict) => conflict,
        other => panic!("expected a conflict, got {other:?}"),
    }
}

/// Commits and expects a refusal.
pub(super) fn refusal(store: &dyn Store, commit: Commit) -> StoreError {
    wait(store.commit(commit)).expect_err("the store refuses the commit")
}

/// Reads.
pub(super) fn read<T>(answer: crate::Answer<T>) -> T {
    wait(answer).expect("the store reads")
}
