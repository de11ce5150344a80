//! A home with a task, an agent that tends it, and a model that follows a script.

use std::sync::Arc;

use runtime::{Ask, CreateAgent, Delivery, Runtime, Setup, Stay, Subject};
use serde_json::{Value, json};
use sqlite::Config;
use store::{Store, wait, wait_unless};
use testkit::model::{Line, asks, fails, says};
use testkit::{FakeWorld, ScriptedModel, TempHome};
use types::{
    Account, AgentId, AgentState, At, BlockKind, Body, BodyType, BudgetLimits, Code,
    DeliverySurface, Domain, EnvelopeBody, EnvelopeKind, EnvelopeOrigin, MessageKind,
    ModelFailureKind, Priority, Problem, Round, Run, RunEnd, RunKey, RunState, ToolInvocation,
    Turn, TurnState,
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

    /// The same after a first look that left this report: from here on it is told what changes.
    pub(crate) fn reported(words: &str) -> House {
        let house = House::new(vec![]);
        let report = json!({ "content": words, "claims": [] });
        house.model.then(asks(&[("r", "update_report", report)]));
        house.model.then(says("First look."));
        house.drain();
        house
    }

    /// A turn has put milk on the list, and then its provider did not take its secret.
    pub(crate) fn failed_after_a_call() -> (House, RunKey) {
        let house = House::new(vec![says("First look.")]);
        house.drain();
        house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
        house.model.then(fails(ModelFailureKind::Authentication));
        let run = house.prompt("add milk", "r1");
        house.drain();
        (house, run)
    }

    /// A house with a budget.
    pub(crate) fn limited(lines: Vec<Line>, limits: BudgetLimits) -> House {
        House::set_up(lines, |setup| setup.limits = limits)
    }

    /// The same, set up in another way.
    pub(crate) fn set_up(lines: Vec<Line>, change: impl FnOnce(&mut Setup)) -> House {
        let home = TempHome::new();
        let world = Arc::new(FakeWorld::seeded(7));
        world.advance_ms(12 * 3_600_000);
        let model = ScriptedModel::saying(lines);
        let runtime = start_with(&home, &world, &model, change).unwrap();
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

    /// Another process takes the home up; it has no memory of the first.
    pub(crate) fn restarted(self, change: impl FnOnce(&mut Setup)) -> House {
        let House { runtime, model, world, home, task, agent } = self;
        drop(runtime);
        let runtime = start_with(&home, &world, &model, change).unwrap();
        House { runtime, model, world, task, agent, home }
    }

    /// What the audit of the agents says: action, subject and detail.
    pub(crate) fn audited(&self) -> Vec<(String, String, String)> {
        let entries = wait(self.runtime.store.audit(Domain::Agent, 0, 1_000)).unwrap();
        let told = entries.into_iter().map(|entry| (entry.action, entry.subject, entry.detail));
        told.collect()
    }

    /// Runs what is queued.
    pub(crate) fn drain(&self) -> u64 {
        self.world.advance_ms(10_000);
        wait(self.runtime.waker.match_changes()).unwrap();
        wait(self.runtime.waker.drain()).unwrap()
    }

    /// Runs what is queued in a process that dies over a question, the next or the one after so many
    /// answers, and opens the home in another one.
    pub(crate) fn dies(self, after: usize) -> House {
        self.model.sticks(after);
        self.world.advance_ms(600_000);
        self.until_stuck();
        let House { runtime, model, world, task, agent, home } = self;
        drop(runtime);
        let runtime = start(&home, &world, &model, BudgetLimits::default());
        House { runtime, model, world, task, agent, home }
    }

    /// Runs what is queued until the model does not answer, or everything is done.
    pub(crate) fn until_stuck(&self) {
        wait_unless(self.runtime.waker.drain(), || self.model.is_stuck()).transpose().unwrap();
    }

    /// Calls of tools as they are remembered, newest first.
    pub(crate) fn calls(&self) -> Vec<ToolInvocation> {
        let listing = store::Listing::of(self.agent.as_str(), BodyType::AgentToolInvocation, 100);
        let records = wait(self.runtime.store.records(Domain::Agent, listing)).unwrap();
        let calls = records.into_iter().filter_map(|record| match record.body {
            Body::AgentToolInvocation(call) => Some(*call),
            _ => None,
        });
        calls.collect()
    }

    /// What the model said in a round of a run.
    pub(crate) fn round(&self, run: &RunKey, round: u32) -> types::Round {
        let id = rules::turn::round_id(run, round);
        let record = wait(self.runtime.store.record(Domain::Agent, id.into())).unwrap().unwrap();
        let Body::AgentMessage(message) = record.body else { panic!("no message") };
        let words = wait(self.runtime.store.content(Domain::Agent, message.content)).unwrap();
        serde_json::from_slice(&words.unwrap().bytes).unwrap()
    }

    /// How a run ended, or where it stands; with its code, if it failed.
    pub(crate) fn end(&self, run: &RunKey) -> (&'static str, Option<Code>) {
        let run = wait(self.runtime.store.run(*run)).unwrap().unwrap();
        match &run.state {
            RunState::Ended { end: RunEnd::Failed(failure), .. } => ("failed", Some(failure.code)),
            state => (state.as_str(), None),
        }
    }

    /// The operator speaks.
    pub(crate) fn prompt(&self, text: &str, request: &str) -> RunKey {
        self.say(text, request, Priority::Normal)
    }

    pub(crate) fn say(&self, text: &str, request: &str, priority: Priority) -> RunKey {
        wait(self.runtime.ingress.admit(self.spoken(text, request, priority))).unwrap().run_key
    }

    /// What the operator says, at the door.
    pub(crate) fn spoken(&self, text: &str, request: &str, priority: Priority) -> Delivery {
        Delivery { priority, ..words(&self.agent, text, request) }
    }

    /// What the agent has spent today, and what it has set aside.
    pub(crate) fn account(&self) -> Account {
        let day = rules::budget::day(self.now(), "UTC");
        wait(self.runtime.store.account(self.agent.clone(), day)).unwrap()
    }

    /// Somebody on a channel speaks.
    pub(crate) fn hear(&self, text: &str, delivery: &str) -> RunKey {
        let body = EnvelopeBody::Text { text: text.to_owned() };
        let origin = EnvelopeOrigin::Channel { channel_id: "chat".to_owned(), sender_id: None };
        let (surface, kind) = (DeliverySurface::HttpPublicEnqueue, EnvelopeKind::ChannelEvent);
        let delivery = Delivery::new(self.agent.clone(), surface, kind, origin, body, delivery);
        wait(self.runtime.ingress.admit(delivery)).unwrap().run_key
    }

    /// The agent's runs, newest first.
    pub(crate) fn runs(&self) -> Vec<Run> {
        wait(self.runtime.store.runs(self.agent.clone(), 50)).unwrap()
    }

    /// What a turn was asked with.
    pub(crate) fn prompt_of(&self, turn: &Turn) -> turn::Recorded {
        wait(self.runtime.turns.prompt_of(turn)).unwrap().unwrap()
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

    /// What a model answered in the turn of a run, as it is recorded.
    pub(crate) fn rounds(&self, run: &RunKey) -> Vec<Round> {
        let rounds = self.turn(run).map_or(0, |turn| turn.rounds);
        let round = |number| {
            let id = rules::turn::round_id(run, number).into();
            let record = wait(self.runtime.store.record(Domain::Agent, id)).unwrap().unwrap();
            let Body::AgentMessage(message) = record.body else { panic!("{record:?}") };
            let words = wait(self.runtime.store.content(Domain::Agent, message.content)).unwrap();
            serde_json::from_slice(&words.unwrap().bytes).unwrap()
        };
        (0..rounds).map(round).collect()
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
        let reach = store::Reach { items: 100, entries: 10 };
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
        let reach = store::Reach { items: 100, entries: 10 };
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

    /// What the agent's followers were told, of one kind.
    pub(crate) fn told(&self, kind: &str) -> Vec<Value> {
        let events = wait(self.runtime.store.events(self.agent.clone(), Some(0), 1_000)).unwrap();
        events.into_iter().filter(|event| event.kind == kind).map(|event| event.body).collect()
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

/// Words of the operator.
pub(crate) fn words(agent: &AgentId, text: &str, request: &str) -> Delivery {
    let body = EnvelopeBody::Text { text: text.to_owned() };
    let (surface, kind) = (DeliverySurface::CliPrompt, EnvelopeKind::OperatorPrompt);
    let origin = EnvelopeOrigin::Operator { actor_id: None };
    let delivery = Delivery::new(agent.clone(), surface, kind, origin, body, request);
    Delivery { session: Some("talk".to_owned()), ..delivery }
}

pub(crate) fn start(
    home: &TempHome,
    world: &Arc<FakeWorld>,
    model: &Arc<ScriptedModel>,
    limits: BudgetLimits,
) -> Runtime {
    start_with(home, world, model, |setup| setup.limits = limits).unwrap()
}

pub(crate) fn start_with(
    home: &TempHome,
    world: &Arc<FakeWorld>,
    model: &Arc<ScriptedModel>,
    change: impl FnOnce(&mut Setup),
) -> Result<Runtime, Problem> {
    let store: Arc<dyn Store> = Arc::new(home.open(&Config::default()));
    let mut setup = Setup::with(Stay::OneCommand, Arc::clone(model) as _);
    change(&mut setup);
    wait(Runtime::start(store, Arc::clone(world) as _, setup))
}

fn perform(runtime: &Runtime, verb: &str, arguments: Value) -> Value {
    let ask = Ask { verb: verb.to_owned(), arguments, request: None, preview: false };
    wait(runtime.journal.perform(ask)).unwrap().answer
}

fn id(runtime: &Runtime, verb: &str, arguments: Value) -> String {
    perform(runtime, verb, arguments)["id"].as_str().unwrap().to_owned()
}
