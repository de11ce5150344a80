//! A home with a scripted body and a clock that stands still.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};

use dispatch::{Begun, Body, Claim, Closing, Ending, Rested, Turn, Work};
use fleet::{Fleet, Subject, Templates};
use ingress::Ingress;
use journal::Journal;
use rules::facts::Relevance;
use rules::trim::Keep;
use runtime::CreateAgent;
use sqlite::{Config, SqliteStore, Synchronous};
use store::{ReadRecords, ReadRuns, Store, wait};
use testkit::{FakeWorld, TempHome};
use types::{
    AgentId, AgentIdentity, At, Author, Body as RecordBody, BodyType, CategoryId, Commit, Domain,
    Outcome, RecordDraft, Run, SchedulerPolicy, Task, TaskId, TaskStatus, Token, Write,
};
use wake::{Debounce, Settings, Waker};
use world::World;

/// A body that does what the test says and remembers what it was given.
#[derive(Clone, Default)]
pub(crate) struct Script {
    pub(crate) endings: Arc<Mutex<VecDeque<Ending>>>,
    pub(crate) claims: Arc<Mutex<Vec<Claim>>>,
    #[expect(clippy::type_complexity, reason = "it is what happens during a turn")]
    pub(crate) during: Arc<Mutex<Option<Box<dyn Fn(&Claim) + Send>>>>,
}

impl Body for Script {
    fn turn(&self, claim: Claim, begun: Begun) -> Turn {
        let script = self.clone();
        Box::pin(async move {
            begun.await;
            if let Some(during) = &*script.during.lock().unwrap() {
                during(&claim);
            }
            script.claims.lock().unwrap().push(claim);
            let done = Ending::Done(Closing::default(), Rested::default());
            script.endings.lock().unwrap().pop_front().unwrap_or(done)
        })
    }
}

/// Agents named `keeper…` mind a task's status, those that tend a task what their template says; the
/// others only watch.
pub(crate) fn relevance(agent: &AgentIdentity) -> Relevance {
    if agent.task_id.is_some() {
        return Templates::builtin().relevance(agent);
    }
    match agent.display_name.starts_with("keeper") {
        true => Relevance::fields(&[("TASK", &["status"])]),
        false => Relevance::Nothing,
    }
}

pub(crate) struct House {
    // Dropped in this order: the store before its folder.
    pub(crate) waker: Waker,
    pub(crate) ingress: Ingress,
    pub(crate) fleet: Fleet,
    pub(crate) store: Arc<SqliteStore>,
    pub(crate) script: Arc<Script>,
    pub(crate) world: Arc<FakeWorld>,
    home: TempHome,
}

fn waker(
    store: &Arc<SqliteStore>,
    world: &Arc<FakeWorld>,
    script: &Arc<Script>,
    policy: SchedulerPolicy,
    debounce: Debounce,
) -> Waker {
    let (store, world): (Arc<dyn Store>, Arc<dyn World>) =
        (Arc::<SqliteStore>::clone(store), Arc::<FakeWorld>::clone(world));
    let body: Arc<dyn Body> = Arc::<Script>::clone(script);
    Waker::new(
        store,
        world,
        body,
        Settings { policy, debounce, relevance: Arc::new(relevance), keep: Keep::USUAL },
    )
}

impl House {
    pub(crate) fn new() -> House {
        House::with(SchedulerPolicy::DEFAULT)
    }

    pub(crate) fn with(policy: SchedulerPolicy) -> House {
        let home = TempHome::new();
        House::open(home, Arc::new(FakeWorld::seeded(3)), policy)
    }

    fn open(home: TempHome, world: Arc<FakeWorld>, policy: SchedulerPolicy) -> House {
        // Nobody cuts the power here, so nobody waits for the disk.
        let config = Config { synchronous: Synchronous::Off, ..Config::default() };
        let store = Arc::new(home.open(&config));
        let (any, place): (Arc<dyn Store>, Arc<dyn World>) =
            (Arc::<SqliteStore>::clone(&store), Arc::<FakeWorld>::clone(&world));
        wait(Journal::new(Arc::clone(&any), Arc::clone(&place)).category_seed()).unwrap();
        let script = Arc::new(Script::default());
        let waker = waker(&store, &world, &script, policy, Debounce::NONE);
        let ingress = Ingress::new(Arc::clone(&any), Arc::clone(&place), policy);
        let fleet = Fleet::new(any, place, Templates::builtin());
        wait(waker.recover()).unwrap();
        House { waker, ingress, fleet, store, script, world, home }
    }

    /// The same with changes that gather for a while.
    pub(crate) fn waiting_for(&self, debounce: Debounce) -> Waker {
        waker(&self.store, &self.world, &self.script, SchedulerPolicy::DEFAULT, debounce)
    }

    /// Dies and comes back: the same files, another opening.
    pub(crate) fn restart(self) -> House {
        self.restart_after(|_| ())
    }

    /// The same, after something was done to the files.
    pub(crate) fn restart_after(self, meanwhile: impl FnOnce(&Path)) -> House {
        let House { waker, ingress, fleet, store, script, world, home } = self;
        let policy = SchedulerPolicy::DEFAULT;
        drop((waker, ingress, fleet, store, script));
        meanwhile(home.path());
        House::open(home, world, policy)
    }

    pub(crate) fn now(&self) -> At {
        self.world.now()
    }

    /// An agent that has had its first wake, so that facts come first from now on.
    pub(crate) fn agent(&self, name: &str, category: &str) -> AgentId {
        let agent = self.newborn(name, category);
        wait(self.ingress.wake(&agent, "first")).unwrap();
        self.drain();
        self.world.advance_ms(10_000);
        self.script.claims.lock().unwrap().clear();
        agent
    }

    pub(crate) fn newborn(&self, name: &str, category: &str) -> AgentId {
        wait(self.waker.settle()).unwrap();
        let params = CreateAgent {
            template: "watcher".to_owned(),
            subject: Subject::Category(self.category(category)),
            name: Some(name.to_owned()),
            request: None,
        };
        wait(self.fleet.agent_create(params)).unwrap().id
    }

    pub(crate) fn category(&self, name: &str) -> CategoryId {
        let any: Arc<dyn Store> = Arc::<SqliteStore>::clone(&self.store);
        let journal = Journal::new(any, Arc::<FakeWorld>::clone(&self.world) as Arc<dyn World>);
        wait(journal.category_find(name)).unwrap().id
    }

    pub(crate) fn drain(&self) -> u64 {
        wait(self.waker.drain()).unwrap()
    }

    /// Writes a task, new or again.
    pub(crate) fn put(&self, author: Author, id: &str, title: &str, status: TaskStatus) -> Outcome {
        let task = Task { status, ..Task::new(title, self.category("home")) };
        let id: TaskId = format!("task_{id}").parse().unwrap();
        let writes = vec![Write::Record(RecordDraft::live(id, task))];
        wait(self.store.commit(Commit::new(Domain::Journal, author, self.now(), writes))).unwrap()
    }

    pub(crate) fn edit(&self, id: &str, title: &str, status: TaskStatus) {
        assert!(matches!(self.put(Author::Operator, id, title, status), Outcome::Applied(_)));
    }

    /// An agent's runs, oldest first.
    pub(crate) fn runs(&self, agent: &AgentId) -> Vec<Run> {
        let mut runs = wait(self.store.runs(agent.clone(), 1_000)).unwrap();
        runs.reverse();
        runs
    }

    /// The same after its first wake: reason and status.
    pub(crate) fn log(&self, agent: &AgentId) -> Vec<String> {
        let line = |run: &Run| format!("{} {}", run.draft.reason.as_str(), run.state.as_str());
        self.runs(agent).iter().skip(1).map(line).collect()
    }

    pub(crate) fn turns(&self) -> usize {
        self.script.claims.lock().unwrap().len()
    }

    pub(crate) fn tasks_of(category: &CategoryId) -> Token {
        rules::token::of_property(BodyType::Task, "category", &category.into())
    }

    pub(crate) fn record(&self, id: impl Into<types::RecordId>) -> RecordBody {
        wait(self.store.record(Domain::Agent, id.into())).unwrap().unwrap().body
    }
}
