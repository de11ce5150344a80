//! A journal to try verbs on.

use std::collections::BTreeSet;
use std::sync::Arc;

use journal::{Answer, Ask, Journal};
use serde_json::Value;
use sqlite::Config;
use store::{Store, wait};
use testkit::{FakeWorld, TempHome};
use tool::{Call, Failure, Planned, Target};
use types::{
    AgentId, At, Author, Body, CategoryId, Code, Commit, Digest, Domain, Epoch, OperationDraft,
    OperationId, Outcome, Position, Problem, RecordDraft, RunKey, Task, WakeReason, Write,
};

/// A new home with its journal, at midnight of the first of January 2027, a Friday, in UTC.
pub(crate) struct Desk {
    pub(crate) journal: Journal,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<FakeWorld>,
    _home: TempHome,
}

impl Desk {
    pub(crate) fn new() -> Desk {
        let home = TempHome::new();
        let store: Arc<dyn Store> = Arc::new(home.open(&Config::default()));
        let world = Arc::new(FakeWorld::seeded(7));
        let journal = Journal::new(Arc::clone(&store), Arc::clone(&world) as _);
        wait(journal.category_seed()).unwrap();
        Desk { journal, store, world, _home: home }
    }

    /// Does something as the operator.
    pub(crate) fn ask(&self, verb: &str, arguments: Value) -> Result<Answer, Problem> {
        self.world.advance_ms(1);
        let verb = verb.to_owned();
        let ask = Ask { verb, arguments, request: None, preview: false };
        wait(self.journal.perform(ask)).map_err(Problem::from)
    }

    /// The same, which must go well; answers with what the verb says.
    pub(crate) fn done(&self, verb: &str, arguments: Value) -> Value {
        self.ask(verb, arguments).unwrap().answer
    }

    /// The same, for its operation.
    pub(crate) fn operation(&self, verb: &str, arguments: Value) -> OperationId {
        self.ask(verb, arguments).unwrap().operation.unwrap()
    }

    /// The same, which must be refused and leave the journal as it was.
    pub(crate) fn refused(&self, verb: &str, arguments: Value) -> Code {
        let before = self.head();
        let code = self.ask(verb, arguments).unwrap_err().code;
        assert_eq!(self.head(), before, "a refusal changes nothing");
        code
    }

    /// Shows something as the operator, which changes nothing.
    pub(crate) fn preview(&self, verb: &str, arguments: Value) -> Value {
        let before = self.head();
        let verb = verb.to_owned();
        let ask = Ask { verb, arguments, request: None, preview: true };
        let answer = wait(self.journal.perform(ask)).map_err(Problem::from).unwrap();
        assert!(answer.preview && answer.operation.is_none());
        assert_eq!(self.head(), before, "a preview changes nothing");
        answer.answer
    }

    /// Plans something as an agent that may see these categories.
    pub(crate) fn plan(
        &self,
        tool: &str,
        scope: &[&str],
        arguments: &Value,
    ) -> (BTreeSet<Target>, Result<Planned, Failure>) {
        let tools = self.journal.tools();
        let tool = tools.iter().find(|found| found.contract().name == tool).unwrap();
        let scope: BTreeSet<CategoryId> = scope.iter().map(|id| id.parse().unwrap()).collect();
        let agent: AgentId = "agent_desk".parse().unwrap();
        let run = RunKey(Digest::ZERO);
        wait(tool.plan(&Call {
            thread: rules::thread::of_run(&agent, &run),
            agent,
            run,
            id: "call".to_owned(),
            epoch: Epoch::default(),
            wake_reason: WakeReason::Manual,
            scope,
            task: None,
            reports: types::ReportScope::ALL.into(),
            model: String::new(),
            journal_seen: Position(0),
            looked_at: types::At::EPOCH,
            tool: tool.contract().name.to_owned(),
            arguments: arguments.clone(),
            operation: None,
            trace: types::Trace::default(),
            read: types::Label::operator(),
            preview: false,
        }))
    }

    /// Does something as an agent in a run; answers with what the tool says.
    pub(crate) fn in_run(&self, run: RunKey, tool: &str, arguments: &Value) -> Value {
        let scope = ["category_home", "category_work"];
        let Planned { subject, guards, writes, answer, .. } =
            self.plan(tool, &scope, arguments).1.unwrap();
        let id = rules::operation::id_of_request(tool, &run.to_string());
        let (verb, run_key, result) = ("by_an_agent", Some(run), answer.clone());
        let operation = Some(OperationDraft { id, verb, subject, run_key, result });
        let (agent, epoch) = ("agent_a".parse().unwrap(), Epoch { boot: 1, attempt: 1 });
        let author = Author::Agent { agent, run, epoch };
        let commit = Commit::new(Domain::Journal, author, At::EPOCH, writes);
        let done = wait(self.store.commit(Commit { guards, operation, ..commit }));
        assert!(matches!(done, Ok(Outcome::Applied(_))));
        answer
    }

    /// Undoes an operation as the operator.
    pub(crate) fn undo(&self, operation: OperationId) -> Result<Answer, Problem> {
        self.world.advance_ms(1);
        wait(self.journal.undo(&operation.to_string(), None)).map_err(Problem::from)
    }

    /// What a live record says; nothing if it is gone.
    pub(crate) fn body(&self, id: &str) -> Option<Body> {
        let record = wait(self.store.record(Domain::Journal, id.parse().unwrap())).unwrap()?;
        record.deleted_at.is_none().then_some(record.body)
    }

    /// A task in a category, by its id.
    pub(crate) fn task(&self, title: &str, category: &str) -> String {
        let arguments = serde_json::json!({ "title": title, "categoryId": category });
        self.done("create_task", arguments)["id"].as_str().unwrap().to_owned()
    }

    /// Writes what could come from elsewhere, all at once.
    pub(crate) fn put(&self, writes: impl Iterator<Item = Write>) {
        let writes = writes.collect();
        let commit = Commit::new(Domain::Journal, Author::Operator, At::EPOCH, writes);
        assert!(matches!(wait(self.store.commit(commit)), Ok(Outcome::Applied(_))));
    }

    /// So many tasks at once.
    pub(crate) fn errands(&self, count: usize) {
        self.put((0..count).map(|n| {
            let id: types::RecordId = format!("task_zz{n:05}").parse().unwrap();
            let category = "category_home".parse().unwrap();
            Write::Record(RecordDraft::live(id, Task::new(format!("errand {n}"), category)))
        }));
    }

    fn head(&self) -> Position {
        wait(self.store.head(Domain::Journal)).unwrap()
    }
}
