//! Small values for the cases.

use types::{
    AgentConfig, AgentId, AgentIdentity, AgentKind, AgentState, Applied, At, AuditDraft, Author,
    Commit, Conflict, Domain, Lifecycle, LinkDraft, Mode, OperationDraft, Outcome, Ownership,
    Profile, RecordDraft, Relation, Subscription, Task, TaskPriority, TaskStatus, Token,
    Visibility, Write,
};

use crate::{Store, StoreError, wait};

pub(super) const NOON: At = At::from_millis(1_800_000_000_000);

/// Parses a value that the case spells out.
pub(super) fn id<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("the case spells ids right")
}

pub(super) fn task(title: &str, category: &str, status: TaskStatus) -> Task {
    let (title, category_id) = (title.to_owned(), id(category));
    Task { title, status, priority: TaskPriority::P2, category_id }
}

/// A task in `category_home`.
pub(super) fn put_task(name: &str) -> Write {
    let body = task(name, "category_home", TaskStatus::Open);
    Write::Record(RecordDraft {
        id: id(&format!("task_{name}")),
        body: body.into(),
        deleted: false,
    })
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
    let body = Subscription { agent_id: agent_id(agent), active, tokens: tokens.to_vec() };
    let record: types::RecordId = id(&format!("subscription_{agent}"));
    Write::Record(RecordDraft::live(record, body))
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
