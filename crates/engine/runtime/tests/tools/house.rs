//! A journal with two categories, and an agent that may touch one of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use journal::{Ask, Journal};
use policy::Rights;
use rules::{run_key, thread};
use serde_json::{Value, json};
use sqlite::Config;
use store::{Store, wait};
use testkit::{FakeWorld, TempHome};
use tool::{Call, Capability};
use tools::{Executor, Receipt, Registry, Rider};
use types::{
    AgentId, At, CategoryId, Domain, OperationId, Position, Problem, RecordId, RunKey, WakeReason,
};
use world::World;

pub(crate) struct House {
    pub(crate) journal: Journal,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) executor: Executor,
    world: Arc<FakeWorld>,
    _home: TempHome,
}

fn agent() -> AgentId {
    "agent_a".parse().unwrap()
}

pub(crate) fn run() -> RunKey {
    run_key::derive(&agent(), &run_key::Cause::Manual { request: "r" })
}

impl House {
    /// Noon of the first of January 2027, in UTC.
    pub(crate) fn new() -> House {
        let home = TempHome::new();
        let store: Arc<dyn Store> = Arc::new(home.open(&Config::default()));
        let world = Arc::new(FakeWorld::seeded(3));
        world.advance_ms(12 * 3_600_000);
        let journal = Journal::new(Arc::clone(&store), Arc::clone(&world) as _);
        wait(journal.category_seed()).unwrap();
        let registry = Arc::new(Registry::new(journal.tools()).unwrap());
        let executor = Executor::new(Arc::clone(&store), Arc::clone(&world) as _, registry);
        House { journal, store, executor, world, _home: home }
    }

    /// Does something as the person whose journal it is.
    pub(crate) fn does(&self, verb: &str, arguments: Value) -> Value {
        self.world.advance_ms(1);
        let ask = Ask { verb: verb.to_owned(), arguments, request: None, preview: false };
        wait(self.journal.perform(ask)).unwrap().answer
    }

    /// The same, for the id in the answer.
    pub(crate) fn id(&self, verb: &str, arguments: Value) -> String {
        self.does(verb, arguments)["id"].as_str().unwrap().to_owned()
    }

    /// A call by the agent in one of its runs, somebody having spoken to it.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Call {
        self.world.advance_ms(60_000);
        let call = Call {
            agent: agent(),
            run: run(),
            id: format!("{tool} {arguments}"),
            epoch: self.store.epoch(),
            thread: thread::of_run(&agent(), &run()),
            wake_reason: WakeReason::UserInitiated,
            scope: BTreeSet::<CategoryId>::from(["category_home".parse().unwrap()]),
            tool: tool.to_owned(),
            arguments,
            task: None,
            reports: types::ReportScope::ALL.into(),
            model: String::new(),
            journal_seen: types::Position(0),
            looked_at: types::At::EPOCH,
            operation: None,
            trace: types::Trace::default(),
            read: types::Label::operator(),
            preview: false,
        };
        let named = wait(self.executor.name(&call));
        Call { operation: named.map(|named| named.operation), ..call }
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
        let receipt = self.carry_out(vec![call], &all_rights()).remove(0);
        let hint = receipt.result.as_ref().err().and_then(|failure| failure.recovery_hint.as_ref());
        assert!(
            !hint.is_some_and(|hint| hint.contains("`dormouse ")),
            "no agent has a command line: {hint:?}"
        );
        receipt
    }

    pub(crate) fn undo(&self, operation: OperationId) -> Result<(), Problem> {
        let undone = wait(self.journal.undo(&operation.to_string(), None));
        undone.map(drop).map_err(Problem::from)
    }

    pub(crate) fn now(&self) -> At {
        self.world.now()
    }

    pub(crate) fn head(&self) -> Position {
        wait(self.store.head(Domain::Journal)).unwrap()
    }

    /// Every live record of the journal, as it says what it says.
    pub(crate) fn everything(&self) -> BTreeMap<RecordId, String> {
        let (mut found, mut after) = (BTreeMap::new(), 0);
        loop {
            let page = wait(self.store.scan(Domain::Journal, after, 100)).unwrap();
            let Some((last, _)) = page.last() else { return found };
            after = *last;
            let live = page.into_iter().filter(|(_, record)| record.deleted_at.is_none());
            found.extend(live.map(|(_, record)| (record.id, record.body.encode())));
        }
    }
}

/// Whatever a profile can hold.
pub(crate) fn all_rights() -> Rights {
    Rights { capabilities: Capability::ALL.into(), ..Rights::default() }
}

/// Words that lie in the other category and that no answer may hold.
pub(crate) const SECRET: &str = "aardvark";

/// A task in a category, with a checklist of two items; the other category's holds the secret.
pub(crate) struct Errand {
    pub(crate) task: String,
    pub(crate) list: String,
    pub(crate) items: Vec<String>,
}

impl House {
    pub(crate) fn errand(&self, category: &str) -> Errand {
        let word = if category == "work" { SECRET } else { "ferns" };
        let title = format!("water the {word}");
        let task = self.id("create_task", json!({ "title": title, "categoryId": category }));
        let items = [format!("{word} one"), format!("{word} two")];
        self.does("add_multiple_checklist_items", json!({ "taskId": task, "items": items }));
        let view = wait(self.journal.task_get(&task)).unwrap();
        let list = &view.checklists[0];
        Errand {
            task,
            list: list.id.to_string(),
            items: list.items.iter().map(|item| item.id.to_string()).collect(),
        }
    }
}
