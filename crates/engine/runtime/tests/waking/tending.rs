//! Agents that tend a task: how they are born, what they follow, and what stops them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use dispatch::{Closing, Ending, Rested};
use fleet::{CreateAgent, Error, Fleet, Subject, Templates};
use rules::lifecycle::LifeEvent;
use rules::{dormancy, failures};
use store::{ReadRecords, ReadRuns, Store, wait};
use testkit::FakeWorld;
use types::{
    AgentId, AgentState, At, Author, Body, Checklist, ChecklistItem, Code, Commit, Domain,
    DormantCause, Entry, EntryKind, Lifecycle, Mode, Outcome, Problem, Record, RecordDraft,
    Relation, RunFailure, RunState, Task, TaskId, TaskStatus, TimeEntry, Ulid, Write, limits,
};
use world::{Passing, World};

use crate::house::House;

/// Failures in a row that are borne.
const MOST: u32 = limits::FAILURES_IN_A_ROW_MAX;

fn asked(task: &str) -> CreateAgent {
    let subject = Subject::Task(task.parse().unwrap());
    CreateAgent { template: "task_agent".to_owned(), subject, name: None, request: None }
}

fn item(n: u32, title: &str, rank: &str) -> (String, Body) {
    let body = ChecklistItem {
        checklist_id: "checklist_a".parse().unwrap(),
        task_id: "task_a".parse().unwrap(),
        title: title.to_owned(),
        checked: false,
        rank: rank.to_owned(),
    };
    (format!("item_{n}"), body.into())
}

impl House {
    /// A task, and an agent that tends it and has had its first wake.
    fn tended(&self) -> AgentId {
        self.edit("a", "Water the ferns", TaskStatus::Open);
        let agent = self.born("task_a");
        self.drain();
        self.world.advance_ms(10_000);
        self.script.claims.lock().unwrap().clear();
        agent
    }

    fn born(&self, task: &str) -> AgentId {
        wait(self.waker.settle()).unwrap();
        wait(self.fleet.agent_create(asked(task))).unwrap().id
    }

    fn put_body(&self, (id, body): (String, Body), deleted: bool) {
        let draft = RecordDraft { deleted, ..RecordDraft::live(parsed(&id), body) };
        let writes = vec![Write::Record(draft)];
        let commit = Commit::new(Domain::Journal, Author::Operator, self.now(), writes);
        assert!(matches!(wait(self.store.commit(commit)).unwrap(), Outcome::Applied(_)));
    }

    /// Drains, and says what the last run of the agent came to.
    fn looked(&self, agent: &AgentId) -> String {
        let before = self.turns();
        self.drain();
        self.world.advance_ms(10_000);
        let took_turn = self.turns() > before;
        let last = self.runs(agent).pop().unwrap();
        format!("{} {} {took_turn}", last.draft.reason.as_str(), last.state.as_str())
    }

    fn agent_record(&self, agent: &AgentId) -> Record {
        wait(self.store.record(Domain::Agent, agent.into())).unwrap().unwrap()
    }

    fn stage(&self, agent: &AgentId) -> Lifecycle {
        wait(self.fleet.agent_get(agent.as_str())).unwrap().identity.lifecycle
    }

    fn state_of(&self, agent: &AgentId) -> AgentState {
        let view = wait(self.fleet.agent_get(agent.as_str())).unwrap();
        match self.record(&view.identity.current_state_id) {
            Body::AgentState(state) => state,
            other => panic!("{other:?}"),
        }
    }

    fn next_ending(&self, ending: Ending) {
        self.script.endings.lock().unwrap().push_back(ending);
    }
}

fn parsed(id: &str) -> types::RecordId {
    id.parse().unwrap()
}

#[test]
fn a_task_agent_is_born_whole_with_its_task_its_scope_and_one_run() {
    let house = House::new();
    house.edit("a", "Water the ferns", TaskStatus::Open);
    let agent = house.born("task_a");
    let view = wait(house.fleet.agent_get(agent.as_str())).unwrap();
    let task: TaskId = "task_a".parse().unwrap();
    assert_eq!(
        (view.identity.template.as_str(), view.identity.mode),
        ("task_agent", Mode::Autonomous)
    );
    assert_eq!(view.identity.allowed_category_ids, [house.category("home")].into());
    assert_eq!(view.identity.task_id, Some(task.clone()));
    assert_eq!(view.identity.display_name, "Water the ferns");
    assert_eq!(house.state_of(&agent).slots.active_task_id.value, Some(task.clone()));
    let links = wait(house.store.links_from(Domain::Agent, (&agent).into(), Relation::AgentTask));
    assert_eq!(links.unwrap()[0].to, (&task).into());
    let found = wait(house.fleet.agent_of_task(&task)).unwrap().unwrap();
    assert_eq!(found.id, agent);
    let runs = house.runs(&agent);
    assert_eq!(runs.len(), 1, "its birth is one run, not two");
    assert!(matches!(runs[0].state, RunState::Queued { .. }));
    house.drain();
    assert_eq!(house.runs(&agent).len(), 1, "that it was linked with its task is no news to it");
    let claims = house.script.claims.lock().unwrap();
    assert_eq!(claims.iter().map(|claim| claim.why).collect::<Vec<_>>(), ["first_wake"]);
}

#[test]
fn an_agent_is_not_made_for_what_is_not_there_or_not_its_kind() {
    let house = House::new();
    let problem = |params| {
        let error = wait(house.fleet.agent_create(params)).unwrap_err();
        Problem::from(error).code
    };
    assert_eq!(problem(asked("task_nowhere")), Code::UnknownTask);
    let home = Subject::Category(house.category("home"));
    assert_eq!(problem(CreateAgent { subject: home, ..asked("task_a") }), Code::WrongUsage);
    let poet = CreateAgent { template: "poet".to_owned(), ..asked("task_a") };
    assert_eq!(problem(poet), Code::UnknownTemplate);
    let title = "ü".repeat(limits::NAME_BYTES_MAX);
    house.edit("a", &title, TaskStatus::Open);
    let view = wait(house.fleet.agent_create(asked("task_a"))).unwrap();
    assert_eq!(view.identity.display_name, "ü".repeat(limits::NAME_BYTES_MAX / 2));
}

#[test]
fn a_task_has_one_agent_until_that_is_destroyed() {
    let house = House::new();
    house.edit("a", "ferns", TaskStatus::Open);
    let named = CreateAgent { request: Some("r".to_owned()), ..asked("task_a") };
    let first = wait(house.fleet.agent_create(named.clone())).unwrap().id;
    let again = wait(house.fleet.agent_create(named)).unwrap().id;
    assert_eq!(again, first, "the same request is no second one");
    let second = wait(house.fleet.agent_create(asked("task_a"))).unwrap_err();
    let task: TaskId = "task_a".parse().unwrap();
    assert_eq!(second, Error::AgentExists { agent: first.clone(), task: task.clone() });
    assert!(Problem::from(second).message.contains(first.as_str()), "it says who");
    wait(house.fleet.agent_pause(first.as_str())).unwrap();
    assert!(wait(house.fleet.agent_create(asked("task_a"))).is_err(), "paused is not gone");
    wait(house.fleet.agent_destroy(first.as_str())).unwrap();
    assert_eq!(wait(house.fleet.agent_of_task(&task)).unwrap(), None);
    let next = house.born("task_a");
    assert_eq!(wait(house.fleet.agent_of_task(&task)).unwrap().unwrap().id, next);
}

/// A world in which somebody else is faster: between the first look and the commit.
struct Rival {
    world: Arc<FakeWorld>,
    faster: Mutex<Option<Fleet>>,
}

impl World for Rival {
    fn now(&self) -> At {
        self.world.now()
    }

    fn zone(&self) -> String {
        self.world.zone()
    }

    fn random(&self) -> u128 {
        self.world.random()
    }

    fn pass(&self, millis: u64) -> Passing {
        self.world.pass(millis)
    }

    fn ulid(&self) -> Ulid {
        if let Some(fleet) = self.faster.lock().unwrap().take() {
            wait(fleet.agent_create(asked("task_a"))).unwrap();
        }
        Ulid::new(self.now(), self.random())
    }
}

#[test]
fn of_two_creations_at_once_one_is_written_and_the_other_is_told_of_it() {
    let house = House::new();
    house.edit("a", "ferns", TaskStatus::Open);
    let store: Arc<dyn Store> = Arc::<sqlite::SqliteStore>::clone(&house.store);
    let (world, faster) = (Arc::clone(&house.world), Mutex::new(Some(house.fleet.clone())));
    let slow = Fleet::new(store, Arc::new(Rival { world, faster }), Templates::builtin());
    let error = wait(slow.agent_create(asked("task_a"))).unwrap_err();
    let Error::AgentExists { agent, .. } = error else { panic!("{error:?}") };
    let all = wait(house.fleet.agent_list()).unwrap();
    assert_eq!(all.iter().map(|view| &view.id).collect::<Vec<_>>(), [&agent]);
    assert_eq!(wait(house.store.queued_runs(10)).unwrap().len(), 1);
}

/// Writes agents that are like one, at once.
fn write_like(house: &House, one: &AgentId, names: impl Iterator<Item = String>, now: Lifecycle) {
    let one = wait(house.store.record(Domain::Agent, one.clone().into())).unwrap().unwrap();
    let writes = testkit::agents_like(&one, names, now);
    let commit = Commit::new(Domain::Agent, Author::Operator, house.now(), writes);
    assert!(matches!(wait(house.store.commit(commit)).unwrap(), Outcome::Applied(_)));
}

#[test]
fn no_living_agent_is_missing_from_the_list_however_many_were_destroyed_or_live() {
    let house = House::new();
    let first = house.newborn("first", "home");
    house.world.advance_ms(1);
    let over = Lifecycle::Destroyed { at: house.now() };
    let most = limits::ROWS_PER_READ_MAX;
    write_like(&house, &first, (0..most + 5).map(|n| format!("agent_over{n}")), over);
    house.world.advance_ms(1);
    let last = house.newborn("last", "home");
    let listed = wait(house.fleet.agent_list()).unwrap();
    assert_eq!([&listed[0].id, &listed[1].id], [&last, &first]);
    assert_eq!(listed.len(), most, "destroyed ones have the room that is left");
    write_like(&house, &first, (0..most + 5).map(|n| format!("agent_lives{n}")), Lifecycle::Active);
    let listed = wait(house.fleet.agent_list()).unwrap();
    let ids: BTreeSet<&AgentId> = listed.iter().map(|view| &view.id).collect();
    assert_eq!((listed.len(), ids.len()), (most + 7, most + 7));
    assert!(ids.contains(&first) && ids.contains(&last));
}

#[test]
fn many_creations_at_once_make_one_agent() {
    let house = House::new();
    house.edit("a", "ferns", TaskStatus::Open);
    let made: Vec<bool> = std::thread::scope(|scope| {
        let ask = || wait(house.fleet.agent_create(asked("task_a"))).is_ok();
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(made.iter().filter(|made| **made).count(), 1);
    assert_eq!(wait(house.fleet.agent_list()).unwrap().len(), 1);
}

#[test]
fn what_is_added_to_a_task_later_wakes_its_agent_and_only_what_matters_takes_a_turn() {
    let house = House::new();
    let agent = house.tended();
    let list = Checklist { task_id: "task_a".parse().unwrap(), title: "Steps".to_owned() };
    house.put_body(("checklist_a".to_owned(), list.into()), false);
    assert_eq!(house.looked(&agent), "subscription completed true");
    house.put_body(item(1, "Fill the can", "m"), false);
    assert_eq!(house.looked(&agent), "subscription completed true");
    house.put_body(item(1, "Fill the can", "n"), false);
    assert_eq!(house.looked(&agent), "subscription completed false", "only its place moved");
    house.put_body(item(1, "Fill the can", "n"), true);
    assert_eq!(house.looked(&agent), "subscription completed true", "it went");
    let (at, day) = (house.now(), "2026-11-15".parse().unwrap());
    let said = Entry {
        kind: EntryKind::Text,
        text: "Bought moss".to_owned(),
        media: None,
        category_id: house.category("home"),
        task_id: "task_a".parse().ok(),
        at,
        day,
    };
    house.put_body(("entry_a".to_owned(), said.into()), false);
    assert_eq!(house.looked(&agent), "subscription completed true");
    let spent = |description: &str| TimeEntry {
        task_id: "task_a".parse().unwrap(),
        started_at: at,
        ended_at: None,
        day,
        description: description.to_owned(),
        source_entry_id: None,
    };
    house.put_body(("time_a".to_owned(), spent("").into()), false);
    assert_eq!(house.looked(&agent), "subscription completed true", "it came");
    house.put_body(("time_a".to_owned(), spent("dug").into()), false);
    assert_eq!(house.looked(&agent), "subscription completed false");
    house.edit("a", "Water all ferns", TaskStatus::Open);
    assert_eq!(house.looked(&agent), "subscription completed true");
}

#[test]
fn another_task_wakes_nobody_and_the_agents_own_changes_do_not_either() {
    let house = House::new();
    let agent = house.tended();
    house.edit("b", "Something else", TaskStatus::Open);
    house.edit("b", "Something else", TaskStatus::Done);
    let (run_key, epoch) = (house.runs(&agent)[0].draft.run_key, house.store.epoch());
    let own = Author::Agent { agent: agent.clone(), run: run_key, epoch };
    house.put(own, "a", "Renamed by its agent", TaskStatus::Open);
    house.drain();
    assert!(house.log(&agent).is_empty(), "{:?}", house.runs(&agent));
}

#[test]
fn an_agent_whose_task_is_gone_goes_dormant_with_all_it_has_and_resumes_when_it_is_back() {
    let house = House::new();
    let agent = house.tended();
    let task = Task::new("Water the ferns", house.category("home"));
    house.put_body(("task_a".to_owned(), task.clone().into()), true);
    let record = house.agent_record(&agent);
    let why = "its task task_a is gone";
    let plan = dormancy::of(&record, LifeEvent::LoseTask, why, house.now()).unwrap();
    let dormancy::Dormancy { writes, guards, audit, .. } = plan;
    let closing = Closing { writes, guards, audit, ..Closing::default() };
    house.next_ending(Ending::Done(closing, Rested::default()));
    assert_eq!(house.looked(&agent), "subscription completed true", "that it went is a fact");
    let cause = DormantCause::TaskMissing;
    assert_eq!(house.stage(&agent), Lifecycle::Dormant { cause });
    assert_eq!(house.state_of(&agent).slots.active_task_id.value, "task_a".parse().ok());
    let found = wait(house.fleet.agent_of_task(&"task_a".parse().unwrap())).unwrap();
    assert_eq!(found.unwrap().id, agent, "it still is the agent of its task");
    let refused = Problem::from(wait(house.fleet.agent_resume(agent.as_str())).unwrap_err());
    assert_eq!(refused.code, Code::UnknownTask);
    house.put_body(("task_a".to_owned(), task.into()), false);
    house.drain();
    let turns = house.turns();
    wait(house.fleet.agent_resume(agent.as_str())).unwrap();
    assert_eq!(house.stage(&agent), Lifecycle::Active);
    house.drain();
    assert_eq!(house.turns(), turns + 1, "it sees that its task is back");
}

#[test]
fn failures_in_a_row_make_an_agent_dormant_and_its_followers_are_told_why() {
    let house = House::new();
    let agent = house.tended();
    for n in 1..=MOST {
        let (record, now) = (house.agent_record(&agent), house.now());
        let run = house.runs(&agent)[0].draft.run_key;
        let state = failures::counted(&house.state_of(&agent), MOST, &run, now);
        let until = state.next_wake_at.filter(|at| *at > now);
        assert_eq!(until.is_some(), n < MOST, "each failure but the last sets when it looks again");
        let plan = failures::dormancy(&record, &state, MOST, "no such key", now).unwrap();
        assert_eq!(plan.is_some(), n == MOST);
        let state_id = wait(house.fleet.agent_get(agent.as_str())).unwrap().identity;
        let draft = RecordDraft::live(&state_id.current_state_id, state);
        let mut closing = Closing { writes: vec![Write::Record(draft)], ..Closing::default() };
        if let Some(plan) = plan {
            closing.writes.extend(plan.writes);
            closing.guards.extend(plan.guards);
            closing.audit.extend(plan.audit);
        }
        let message = "no such key".to_owned();
        let failure = RunFailure { code: Code::ProviderRefused, message };
        house.next_ending(Ending::FailedForGood(failure, closing));
        house.next_ending(Ending::Nothing("nothing_changed", Closing::default()));
        wait(house.ingress.wake(&agent, &format!("w{n}"))).unwrap();
        house.drain();
        house.world.advance_ms(60_000);
        house.script.endings.lock().unwrap().clear();
    }
    assert_eq!(house.stage(&agent), Lifecycle::Dormant { cause: DormantCause::Failures });
    assert_eq!(house.state_of(&agent).consecutive_failure_count, MOST);
    let events = wait(house.store.events(agent.clone(), Some(0), 100)).unwrap();
    let told = events.iter().rfind(|event| event.kind == "lifecycle_changed").unwrap();
    let why = format!("it failed {MOST} times in a row; the last time: no such key");
    assert_eq!(told.body["why"], why);
    let turns = house.turns();
    house.edit("a", "Changed", TaskStatus::Open);
    house.drain();
    assert_eq!(house.turns(), turns, "what comes is held");
    wait(house.fleet.agent_resume(agent.as_str())).unwrap();
    house.drain();
    assert_eq!(house.turns(), turns + 1, "and nothing of it is lost");
    assert_eq!(house.state_of(&agent).consecutive_failure_count, MOST, "only a success counts");
}
