//! An open home with task agents, and everything that takes a prompt to its end.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dispatch::Dispatch;
use embedded::Embedded;
use host::Machine;
use ingress::{Delivery, Ingress};
use rules::trim::Keep;
use runtime::{Ask, CreateAgent, Runtime, Subject, Templates};
use serde_json::{Value, json};
use sqlite::{Config, Home};
use store::Store;
use tokio::task::JoinSet;
use types::{AgentId, AgentIdentity, Problem};
use wake::{Debounce, Settings, Waker};
use world::World;

use super::noting::{Notes, NotingBody, NotingWork};
use super::setup;

/// Agents that are made at once.
const MADE_AT_ONCE: usize = 64;

/// An agent and its task.
#[derive(Clone)]
pub(super) struct Agent {
    pub(super) id: AgentId,
    pub(super) task: String,
}

/// An open home. It goes on working until it is dropped.
#[derive(Clone)]
pub(super) struct House {
    pub(super) runtime: Runtime,
    pub(super) notes: Arc<Notes>,
    pub(super) waker: Waker,
    pub(super) world: Arc<dyn World>,
    ingress: Ingress,
    _dispatcher: Arc<Embedded>,
}

/// Makes a home with so many agents. None of them has run yet.
pub(super) async fn furnish(folder: &Path, config: &Config, url: &str, count: u64) -> Vec<Agent> {
    let store = open(folder, config);
    setup::consent(&store, url).await;
    let runtime = Runtime::start(store, Arc::new(Machine), setup::of(url)).await;
    let runtime = runtime.expect("a new home starts");
    let (mut making, mut agents) = (JoinSet::new(), Vec::new());
    for n in 0..count {
        if making.len() == MADE_AT_ONCE {
            agents.extend(making.join_next().await.map(|made| made.expect("an agent is made")));
        }
        making.spawn(make(runtime.clone(), n));
    }
    while let Some(made) = making.join_next().await {
        agents.push(made.expect("an agent is made"));
    }
    agents
}

async fn make(runtime: Runtime, n: u64) -> Agent {
    let arguments = json!({ "title": format!("Garden number {n}"), "categoryId": "home" });
    let task = perform(&runtime, "create_task", arguments).await;
    let task = task["id"].as_str().expect("a task has an id").to_owned();
    let create = CreateAgent {
        template: "task_agent".to_owned(),
        subject: Subject::Task(task.parse().expect("an id")),
        name: None,
        request: None,
    };
    let id = runtime.fleet.agent_create(create).await.expect("an agent is made").id;
    Agent { id, task }
}

async fn perform(runtime: &Runtime, verb: &str, arguments: Value) -> Value {
    let ask = Ask { verb: verb.to_owned(), arguments, request: None, preview: false };
    runtime.journal.perform(ask).await.expect("the journal takes it").answer
}

fn open(folder: &Path, config: &Config) -> Arc<dyn Store> {
    let home = Home::at(folder);
    let lock = home.lock().expect("nobody else has the home");
    let name = "host_test".parse().expect("an id");
    let config = Config { tidy: host::tidy, ..config.clone() };
    let store = home.open(lock, &name, &config).expect("the home opens");
    for rests in store.rests() {
        tokio::spawn(embedded::at_rest(rests, host::come_to_rest));
    }
    Arc::new(store)
}

impl House {
    /// Opens a home and waits until all that was queued has run.
    pub(super) async fn open(folder: &Path, config: &Config, url: &str) -> House {
        House::open_for(folder, config, url, setup::IN_FLIGHT).await
    }

    /// The same with so many runs at once.
    pub(super) async fn open_for(
        folder: &Path,
        config: &Config,
        url: &str,
        in_flight: usize,
    ) -> House {
        let (store, world): (_, Arc<dyn World>) = (open(folder, config), Arc::new(Machine));
        let runtime = Runtime::start(Arc::clone(&store), Arc::clone(&world), setup::of(url)).await;
        let runtime = runtime.expect("the home starts");
        let (policy, templates) = (setup::policy(in_flight), Templates::builtin());
        let relevance = Arc::new(move |agent: &AgentIdentity| templates.relevance(agent));
        let settings = Settings { policy, debounce: Debounce::USUAL, relevance, keep: Keep::USUAL };
        let notes = Arc::new(Notes::default());
        let body = NotingBody { turns: runtime.turns.clone(), notes: Arc::clone(&notes) };
        let waker = Waker::new(Arc::clone(&store), Arc::clone(&world), Arc::new(body), settings);
        let room = policy.global_max_concurrent_runs;
        let handle = tokio::runtime::Handle::current();
        let dispatcher = Embedded::new(handle, Arc::clone(&world), room, report);
        let work = NotingWork { waker: waker.clone(), notes: Arc::clone(&notes) };
        dispatcher.start(Arc::new(work));
        let ingress = Ingress::new(store, Arc::clone(&world), policy);
        let _dispatcher = Arc::new(dispatcher);
        let house = House { runtime, notes, waker, world, ingress, _dispatcher };
        house.settle().await;
        house
    }

    /// Says ten words to an agent, all in one conversation, and waits until its turn is over.
    pub(super) async fn prompt(&self, agent: &Agent, name: String) {
        let words = "Add one more item to the list of this task";
        let delivery = Delivery::prompt(agent.id.clone(), words, name);
        let delivery = Delivery { session: Some("garden".to_owned()), ..delivery };
        let admitted = self.ingress.admit(delivery).await.expect("it is let in");
        self.notes.wait_for(admitted.run_key).await;
    }

    /// Makes a task that nobody tends.
    pub(super) async fn unrelated(&self, n: usize) {
        let arguments = json!({ "title": format!("Noise number {n}"), "categoryId": "home" });
        perform(&self.runtime, "create_task", arguments).await;
    }

    /// Clears an agent's checklist, as the operator, and waits until the agent has seen it.
    pub(super) async fn clear(&self, agent: &Agent) {
        let task = self.runtime.journal.task_get(&agent.task).await.expect("the task is there");
        for list in task.checklists {
            let arguments = json!({ "checklistId": list.id });
            perform(&self.runtime, "remove_checklist", arguments).await;
        }
        self.settle().await;
    }

    /// Waits until nothing is left to be done: changes are matched once they have gathered.
    pub(super) async fn settle(&self) {
        let gathered = u64::try_from(Debounce::USUAL.local_ms).expect("a moment") + 20;
        loop {
            tokio::time::sleep(Duration::from_millis(gathered)).await;
            let before = self.notes.turns();
            self.waker.wait_until_idle().await.expect("it comes to rest");
            if self.notes.turns() == before {
                return;
            }
        }
    }
}

fn report(problem: &Problem) {
    eprintln!("{problem:?}");
}
