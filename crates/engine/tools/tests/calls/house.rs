//! A home with two categories, three tasks and an agent that may touch one of the categories.

use std::collections::BTreeSet;
use std::sync::Arc;

use policy::Rights;
use rules::{run_key, thread};
use serde_json::{Value, json};
use sqlite::{Config, SqliteStore, Synchronous};
use store::{ReadChanges, ReadHistory, ReadRecords, Store, wait};
use testkit::{FakeWorld, TempHome};
use tool::Call;
use tools::{Error, Executor, Receipt, Registry, Rider};
use types::{
    AgentId, AuditEntry, Author, Body, Capability, Category, CategoryId, Commit, Conflict, Domain,
    InvocationId, Outcome, Quota, Record, RecordDraft, RecordId, RunKey, Task, ToolInvocation,
    WakeReason, Write,
};
use world::World;

use crate::door::Door;
use crate::workshop::{self, Bench};

pub(crate) struct House {
    // Dropped in this order: the store before its folder.
    pub(crate) executor: Executor,
    pub(crate) door: Arc<Door>,
    pub(crate) world: Arc<FakeWorld>,
    home: TempHome,
}

pub(crate) fn id<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().unwrap()
}

pub(crate) fn agent() -> AgentId {
    id("agent_a")
}

pub(crate) fn run() -> RunKey {
    run_key::derive(&agent(), &run_key::Cause::Manual { request: "r" })
}

/// Carries calls out and writes down what is left of them, as whoever calls does: if somebody was faster, they are made
/// again.
pub(crate) async fn carry_out(
    executor: &Executor,
    calls: Vec<Call>,
    rights: &Rights,
) -> Result<Vec<Receipt>, Error> {
    let author = calls.first().map_or(Author::Runtime, Call::author);
    loop {
        let (calls, rider) = (calls.clone(), Rider::default());
        let (receipts, left) = executor.execute(calls, vec![], rights, rider).await?;
        match executor.write_left(author.clone(), left).await {
            Err(Error::Conflict(conflict)) if !matches!(conflict, Conflict::Fenced { .. }) => {}
            written => return written.map(|()| receipts),
        }
    }
}

pub(crate) async fn one(
    executor: &Executor,
    call: Call,
    rights: &Rights,
) -> Result<Receipt, Error> {
    Ok(carry_out(executor, vec![call], rights).await?.remove(0))
}

impl House {
    pub(crate) fn new() -> House {
        let house = House::open(TempHome::new(), Arc::new(FakeWorld::seeded(5)));
        let category = |name: &str| {
            let record: RecordId = id(&format!("category_{name}"));
            Write::Record(RecordDraft::live(record, Category::named(name)))
        };
        house.write(vec![category("home"), category("work")]);
        house.put("ferns", "water the ferns", "home");
        house.put("moss", "brush the moss", "home");
        house.put("taxes", "pay the secret taxes", "work");
        house
    }

    fn open(home: TempHome, world: Arc<FakeWorld>) -> House {
        // Nobody cuts the power here, so nobody waits for the disk.
        let config = Config { synchronous: Synchronous::Off, ..Config::default() };
        let store: Arc<SqliteStore> = Arc::new(home.open(&config));
        let door = Arc::new(Door::before(store));
        let executor = executor(Arc::<Door>::clone(&door), Arc::<FakeWorld>::clone(&world));
        House { executor, door, world, home }
    }

    /// Another executor over the same store, past the door.
    pub(crate) fn neighbour(&self) -> Executor {
        executor(Arc::<SqliteStore>::clone(&self.door.inner), Arc::<FakeWorld>::clone(&self.world))
    }

    /// Dies and comes back: the same files, another opening.
    pub(crate) fn restart(self) -> House {
        let House { executor, door, world, home } = self;
        drop((executor, door));
        House::open(home, world)
    }

    pub(crate) fn store(&self) -> &SqliteStore {
        &self.door.inner
    }

    pub(crate) fn write(&self, writes: Vec<Write>) {
        let now = self.world.now();
        let commit = Commit::new(Domain::Journal, Author::Operator, now, writes);
        assert!(matches!(wait(self.store().commit(commit)).unwrap(), Outcome::Applied(_)));
    }

    pub(crate) fn put(&self, name: &str, title: &str, category: &str) {
        let category: CategoryId = id(&format!("category_{category}"));
        let record: RecordId = id(&format!("task_{name}"));
        self.write(vec![Write::Record(RecordDraft::live(record, Task::new(title, category)))]);
    }

    pub(crate) fn task(&self, name: &str) -> (Task, Record) {
        let record = wait(self.store().record(Domain::Journal, id(&format!("task_{name}"))));
        let record = record.unwrap().unwrap();
        let Body::Task(task) = record.body.clone() else { panic!("no task") };
        (task, record)
    }

    /// A call by the agent's one run, awake by a change, under this opening's claim.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Call {
        Call {
            agent: agent(),
            run: run(),
            id: format!("call of {tool} with {arguments}"),
            epoch: self.door.epoch(),
            thread: thread::of_run(&agent(), &run()),
            wake_reason: WakeReason::Subscription,
            scope: scope(),
            tool: tool.to_owned(),
            arguments,
            task: None,
            reports: types::ReportScope::ALL.into(),
            model: String::new(),
            journal_seen: types::Position(0),
            looked_at: types::At::EPOCH,
            operation: None,
            trace: types::Trace::default(),
            read: types::Label::new(types::Trust::Integration, types::Source::External),
            preview: false,
        }
    }

    /// The same, with the name of what it changes.
    pub(crate) fn named(&self, tool: &str, arguments: Value) -> Call {
        let call = self.call(tool, arguments);
        let named = wait(self.executor.name(&call));
        Call { operation: named.map(|named| named.operation), ..call }
    }

    pub(crate) fn set_title(&self, task: &str, title: &str) -> Call {
        self.named("set_title", json!({ "task": format!("task_{task}"), "title": title }))
    }

    pub(crate) async fn carry_out(
        &self,
        calls: Vec<Call>,
        rights: &Rights,
    ) -> Result<Vec<Receipt>, Error> {
        carry_out(&self.executor, calls, rights).await
    }

    pub(crate) async fn one(&self, call: Call, rights: &Rights) -> Result<Receipt, Error> {
        one(&self.executor, call, rights).await
    }

    pub(crate) fn execute(&self, call: Call) -> Receipt {
        wait(self.one(call, &rights())).unwrap()
    }

    pub(crate) fn invocation(&self, receipt: &Receipt) -> ToolInvocation {
        self.record(&receipt.tool_action_id).unwrap()
    }

    pub(crate) fn record(&self, invocation: &InvocationId) -> Option<ToolInvocation> {
        let found = wait(self.store().record(Domain::Agent, invocation.into())).unwrap()?;
        let Body::AgentToolInvocation(invocation) = found.body else { panic!("no invocation") };
        Some(*invocation)
    }

    /// Where a content came from.
    pub(crate) fn label(&self, at: &types::ContentRef) -> types::Label {
        wait(self.store().content(Domain::Agent, at.clone())).unwrap().unwrap().label
    }

    /// The content at a place, as JSON.
    pub(crate) fn content(&self, at: &types::ContentRef) -> Value {
        let content = wait(self.store().content(Domain::Agent, at.clone())).unwrap().unwrap();
        serde_json::from_slice(&content.bytes).unwrap()
    }

    /// What was audited among the agents: action and detail.
    pub(crate) fn audited(&self) -> Vec<(String, String)> {
        let entries = wait(self.store().audit(Domain::Agent, 0, 1_000)).unwrap();
        entries.into_iter().map(|AuditEntry { action, detail, .. }| (action, detail)).collect()
    }

    /// The same, with which call each is about.
    pub(crate) fn audited_of_each(&self) -> Vec<(String, String)> {
        let entries = wait(self.store().audit(Domain::Agent, 0, 1_000)).unwrap();
        entries.into_iter().map(|AuditEntry { action, subject, .. }| (subject, action)).collect()
    }

    /// How much the journal has seen: changes, operations, audit entries.
    pub(crate) fn journal(&self) -> (u64, usize, usize) {
        let store = self.store();
        let operations = wait(store.operations_of_run(Domain::Journal, run())).unwrap();
        let audit = wait(store.audit(Domain::Journal, 0, 1_000)).unwrap();
        (wait(store.head(Domain::Journal)).unwrap().0, operations.len(), audit.len())
    }
}

fn executor(store: Arc<dyn Store>, world: Arc<dyn World>) -> Executor {
    let bench = Bench { store: Arc::clone(&store), world: Arc::clone(&world) };
    let registry = Registry::new(workshop::tools(&bench)).unwrap();
    Executor::new(store, world, Arc::new(registry))
}

pub(crate) fn scope() -> BTreeSet<CategoryId> {
    [id("category_home")].into()
}

/// May read and change tasks, as often as it likes.
pub(crate) fn rights() -> Rights {
    Rights {
        capabilities: [Capability::TaskRead, Capability::TaskWrite].into(),
        ..Rights::default()
    }
}

pub(crate) fn rights_with(tool: &str, quota: Quota) -> Rights {
    Rights { quotas: [(tool.to_owned(), quota)].into(), ..rights() }
}

/// The rule by which a call was denied, as its record says.
pub(crate) fn rule(invocation: &ToolInvocation) -> &str {
    match &invocation.state {
        types::InvocationState::Denied { rule, .. } => rule,
        other => panic!("not denied but {other:?}"),
    }
}
