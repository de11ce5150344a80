//! A home with a task, an agent that tends it, and a model that follows a script.

use std::sync::Arc;

use runtime::{Ask, CreateAgent, Delivery, Runtime, Setup, Stay, Subject};
use serde_json::{Value, json};
use sqlite::Config;
use store::{Store, wait};
use testkit::model::Line;
use testkit::{FakeWorld, ScriptedModel, TempHome};
use types::{
    AgentId, AgentState, At, BlockKind, Body, BodyType, BudgetLimits, DeliverySurface, Domain,
    EnvelopeBody, EnvelopeKind, EnvelopeOrigin, MessageKind, Priority, Run, RunKey, Turn,
    TurnState,
};
use world::World;

pub(crate) struct House {
    pub(crate) runtime: Runtime,
    pub(crate) model: Arc<ScriptedModel>,
    pub(crate) world: Arc<FakeWorld>,
    pub(crate) task: String,
    pub(crate) agent: AgentId,
    pub(crate) home: TempHome,
}

impl House {
    /// A task with two items, an agent that tends it, and these lines for its model. The agent's first
    /// run is queued.
    pub(crate) fn new(lines: Vec<Line>) -> House {
        House::limited(lines, BudgetLimits::default())
    }

    /// The same with a budget.
    pub(crate) fn limited(lines: Vec<Line>, limits: BudgetLimits) -> House {
        let home = TempHome::new();
        let world = Arc::new(FakeWorld::seeded(7));
        world.advance_ms(12 * 3_600_000);
        let model = ScriptedModel::saying(lines);
        let runtime = start(&home, &world, &model, limits);
        let category = wait(runtime.journal.category_find("home")).unwrap().id;
        let task = id(&runtime, "create_task", json!({ "title": "Water", "categoryId": category }));
        let items = json!([{ "title": "find the can" }, { "title": "fill it" }]);
        perform(
            &runtime,
            "add_multiple_checklist_items",
            json!({ "taskId": task, "items": items }),
        );
        let create = CreateAgent {
            template: "task_agent".to_owned(),
            subject: Subject::Task(task.parse().unwrap()),
            name: None,
            request: None,
        };
        let agent = wait(runtime.agent_create(create)).unwrap().id;
        House { runtime, model, world, task, agent, home }
    }

    /// Runs what is queued.
    pub(crate) fn drain(&self) -> u64 {
        self.world.advance_ms(10_000);
        wait(self.runtime.waker.match_changes()).unwrap();
        wait(self.runtime.waker.drain()).unwrap()
    }

    /// The operator speaks.
    pub(crate) fn prompt(&self, text: &str, request: &str) -> RunKey {
        self.say(text, request, Priority::Normal)
    }

    pub(crate) fn say(&self, text: &str, request: &str, priority: Priority) -> RunKey {
        let body = EnvelopeBody::Text { text: text.to_owned() };
        let (surface, kind) = (DeliverySurface::CliPrompt, EnvelopeKind::OperatorPrompt);
        let origin = EnvelopeOrigin::Operator { actor_id: None };
        let delivery = Delivery::new(self.agent.clone(), surface, kind, origin, body, request);
        let session = Some("talk".to_owned());
        let delivery = Delivery { priority, session, ..delivery };
        wait(self.runtime.ingress.admit(delivery)).unwrap().run_key
    }

    /// The agent's runs, newest first.
    pub(crate) fn runs(&self) -> Vec<Run> {
        wait(self.runtime.store.runs(self.agent.clone(), 50)).unwrap()
    }

    /// The turn of a run.
    pub(crate) fn turn(&self, run: &RunKey) -> Option<Turn> {
        let id = rules::turn::id(run).into();
        let record = wait(self.runtime.store.record(Domain::Agent, id)).unwrap()?;
        match record.body {
            Body::AgentTurn(turn) => Some(*turn),
            _ => None,
        }
    }

    /// What a turn said to the operator.
    pub(crate) fn brief(&self, run: &RunKey) -> String {
        let Some(Turn { state: TurnState::Settled { brief, .. }, .. }) = self.turn(run) else {
            panic!("{run} has no settled turn");
        };
        let words = wait(self.runtime.store.content(Domain::Agent, brief.content)).unwrap();
        String::from_utf8(words.unwrap().bytes).unwrap()
    }

    /// The titles of the task's items.
    pub(crate) fn items(&self) -> Vec<String> {
        let reach = store::Reach { items: 100, entries: 10, linked: 10 };
        let task = self.task.parse().unwrap();
        let around = wait(self.runtime.store.surroundings(task, reach)).unwrap();
        let titles = around.items.into_iter().filter_map(|record| match record.body {
            Body::ChecklistItem(item) => Some(item.title),
            _ => None,
        });
        let mut titles: Vec<String> = titles.collect();
        titles.sort();
        titles
    }

    /// The id of an item.
    pub(crate) fn item_id(&self, title: &str) -> String {
        let reach = store::Reach { items: 100, entries: 10, linked: 10 };
        let task = self.task.parse().unwrap();
        let around = wait(self.runtime.store.surroundings(task, reach)).unwrap();
        let found = around.items.into_iter().find(|record| match &record.body {
            Body::ChecklistItem(item) => item.title == title,
            _ => false,
        });
        found.unwrap().id.to_string()
    }

    /// A part of the prompt of the so-manieth question.
    pub(crate) fn block(&self, asked: usize, kind: BlockKind) -> Option<String> {
        let request = self.model.asked().swap_remove(asked);
        request.prompt.into_iter().find(|block| block.kind == kind).map(|block| block.text)
    }

    /// How long the prompt of a question was.
    pub(crate) fn prompt_bytes(&self, asked: usize) -> usize {
        let request = self.model.asked().swap_remove(asked);
        request.prompt.iter().map(|block| block.text.len()).sum()
    }

    /// What the agent durably knows of itself.
    pub(crate) fn state(&self) -> AgentState {
        let agent = wait(self.runtime.fleet.agent_get(self.agent.as_str())).unwrap();
        let id = agent.identity.current_state_id.into();
        let record = wait(self.runtime.store.record(Domain::Agent, id)).unwrap();
        match record.unwrap().body {
            Body::AgentState(state) => state,
            other => panic!("{other:?}"),
        }
    }

    /// The kinds of the messages of a run, in order.
    pub(crate) fn kinds(&self, run: &RunKey) -> Vec<MessageKind> {
        let listing = store::Listing::of(self.agent.as_str(), BodyType::AgentMessage, 100);
        let records = wait(self.runtime.store.records(Domain::Agent, listing)).unwrap();
        let of_run = records.into_iter().rev().filter_map(|record| match record.body {
            Body::AgentMessage(message) if message.run_key == Some(*run) => Some(message.kind),
            _ => None,
        });
        of_run.collect()
    }

    pub(crate) fn now(&self) -> At {
        self.world.now()
    }

    /// The arguments that add one item to the task.
    pub(crate) fn item(&self, title: &str) -> Value {
        json!({ "taskId": self.task, "items": [{ "title": title }] })
    }

    /// The operator changes the journal.
    pub(crate) fn does(&self, verb: &str, arguments: Value) -> Value {
        self.world.advance_ms(1);
        perform(&self.runtime, verb, arguments)
    }
}

pub(crate) fn start(
    home: &TempHome,
    world: &Arc<FakeWorld>,
    model: &Arc<ScriptedModel>,
    limits: BudgetLimits,
) -> Runtime {
    let store: Arc<dyn Store> = Arc::new(home.open(&Config::default()));
    let setup = Setup { limits, ..Setup::with(Stay::OneCommand, Arc::clone(model) as _) };
    wait(Runtime::start(store, Arc::clone(world) as _, setup)).unwrap()
}

fn perform(runtime: &Runtime, verb: &str, arguments: Value) -> Value {
    let ask = Ask { verb: verb.to_owned(), arguments, request: None, preview: false };
    wait(runtime.journal.perform(ask)).unwrap().answer
}

fn id(runtime: &Runtime, verb: &str, arguments: Value) -> String {
    perform(runtime, verb, arguments)["id"].as_str().unwrap().to_owned()
}
