//! A home with two categories and an agent that tends a task in one of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use memory::Memory;
use policy::Rights;
use rules::{run_key, thread};
use serde_json::{Map, Value, json};
use sqlite::{Config, Synchronous};
use store::{Store, wait};
use testkit::{FakeWorld, TempHome};
use tool::{Call, Capability};
use tools::{Executor, Receipt, Registry, Rider};
use types::{
    AgentId, Author, Body, Category, CategoryId, ChecklistItem, Code, Commit, Domain, LinkDraft,
    Outcome, Position, Record, RecordDraft, RecordId, Relation, RunKey, Subscription, Task, Token,
    WakeReason, Write,
};
use world::World;

pub(crate) struct House {
    pub(crate) memory: Memory,
    pub(crate) executor: Executor,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<FakeWorld>,
    _home: TempHome,
}

pub(crate) fn id<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().unwrap()
}

pub(crate) fn agent() -> AgentId {
    id("agent_a")
}

pub(crate) fn run(name: &str) -> RunKey {
    run_key::derive(&agent(), &run_key::Cause::Manual { request: name })
}

impl House {
    pub(crate) fn new() -> House {
        let home = TempHome::new();
        let config = Config { synchronous: Synchronous::Off, ..Config::default() };
        let store: Arc<dyn Store> = Arc::new(home.open(&config));
        let world = Arc::new(FakeWorld::seeded(9));
        let memory = Memory::new(Arc::clone(&store), Arc::clone(&world) as _);
        let registry = Arc::new(Registry::new(memory.tools()).unwrap());
        let executor = Executor::new(Arc::clone(&store), Arc::clone(&world) as _, registry);
        let house = House { memory, executor, store, world, _home: home };
        house.furnish();
        house
    }

    fn furnish(&self) {
        for name in ["home", "work"] {
            let category: RecordId = id(&format!("category_{name}"));
            self.edit(Write::Record(RecordDraft::live(category, Category::named(name))));
        }
        self.put_task("ferns", "home", "water the ferns");
        self.put_task("taxes", "work", "pay the secret taxes");
        let item = |task: &str| ChecklistItem {
            checklist_id: id("checklist_1"),
            task_id: id(&format!("task_{task}")),
            title: "fill the can".to_owned(),
            checked: false,
            rank: "n".to_owned(),
        };
        self.edit(Write::Record(RecordDraft::live(id::<RecordId>("item_can"), item("ferns"))));
        self.edit(Write::Record(RecordDraft::live(id::<RecordId>("item_form"), item("taxes"))));
        let task: RecordId = id("task_ferns");
        let wish = Subscription::to(agent(), vec![Token::entity(&task)]);
        let link = LinkDraft {
            id: id("link_tends"),
            from: (&agent()).into(),
            to: task,
            relation: Relation::AgentTask,
            hidden: false,
            body: Map::new(),
            deleted: false,
        };
        let wish = RecordDraft::live(id::<RecordId>("subscription_a"), wish);
        self.commit(Domain::Agent, Author::Operator, vec![Write::Record(wish), Write::Link(link)]);
    }

    pub(crate) fn put_task(&self, name: &str, category: &str, title: &str) {
        let category: CategoryId = id(&format!("category_{category}"));
        let task: RecordId = id(&format!("task_{name}"));
        self.edit(Write::Record(RecordDraft::live(task, Task::new(title, category))));
    }

    /// The operator changes the journal.
    pub(crate) fn edit(&self, write: Write) {
        self.commit(Domain::Journal, Author::Operator, vec![write]);
    }

    pub(crate) fn commit(&self, domain: Domain, author: Author, writes: Vec<Write>) {
        let commit = Commit::new(domain, author, self.world.now(), writes);
        assert!(matches!(wait(self.store.commit(commit)).unwrap(), Outcome::Applied(_)));
    }

    pub(crate) fn head(&self) -> Position {
        wait(self.store.head(Domain::Journal)).unwrap()
    }

    /// A call in a run, a minute later, by an agent that has read the journal to its end.
    pub(crate) fn call(&self, in_run: &str, tool: &str, arguments: Value) -> Call {
        self.world.advance_ms(60_000);
        let call = Call {
            agent: agent(),
            run: run(in_run),
            id: format!("{tool} {arguments}"),
            epoch: self.store.epoch(),
            thread: thread::of_run(&agent(), &run(in_run)),
            wake_reason: WakeReason::Subscription,
            scope: BTreeSet::<CategoryId>::from([id("category_home")]),
            task: Some(id("task_ferns")),
            reports: types::ReportScope::ALL.into(),
            model: "builtin/scribe".to_owned(),
            journal_seen: self.head(),
            looked_at: self.world.now(),
            tool: tool.to_owned(),
            arguments,
            operation: None,
            trace: types::Trace::default(),
            read: types::Label::new(types::Trust::Integration, types::Source::External),
            preview: false,
        };
        Call { operation: wait(self.executor.name(&call)).map(|named| named.operation), ..call }
    }

    /// What came of these calls, all of which is written down.
    pub(crate) fn carry_out(&self, calls: Vec<Call>, rights: &Rights) -> Vec<Receipt> {
        let author = calls[0].author();
        let done = wait(self.executor.execute(calls, vec![], rights, Rider::default()));
        let (receipts, left) = done.unwrap();
        wait(self.executor.write_left(author, left)).unwrap();
        receipts
    }

    pub(crate) fn execute(&self, call: Call) -> Receipt {
        let rights = Rights { capabilities: Capability::ALL.into(), ..Rights::default() };
        self.carry_out(vec![call], &rights).remove(0)
    }

    /// Writes the report in a run of its own, and says under which id.
    pub(crate) fn reports(&self, in_run: &str, content: &str) -> String {
        let claims = json!([{ "text": "it is open", "sources": ["task_ferns"] }]);
        let arguments = json!({ "content": content, "claims": claims });
        let receipt = self.execute(self.call(in_run, "update_report", arguments));
        receipt.result.unwrap().payload["reportId"].as_str().unwrap().to_owned()
    }

    pub(crate) fn notes(&self, in_run: &str, notes: &[&str]) -> Receipt {
        self.execute(self.call(in_run, "record_observations", json!({ "notes": notes })))
    }

    /// Why a report is refused: the code, the field, the words.
    pub(crate) fn refused(&self, arguments: Value) -> (Code, String, String) {
        let failure = self.execute(self.call("r", "update_report", arguments)).result.unwrap_err();
        let field = failure.details.unwrap()["field"].as_str().unwrap().to_owned();
        (failure.kind, field, failure.message)
    }

    pub(crate) fn record(&self, name: &str) -> Record {
        wait(self.store.record(Domain::Agent, id(name))).unwrap().unwrap()
    }

    pub(crate) fn report(&self, name: &str) -> types::Report {
        let Body::AgentReport(report) = self.record(name).body else { panic!("no report") };
        report
    }
}
