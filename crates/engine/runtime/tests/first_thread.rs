//! From a task to a receipt, through every room between.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::sync::Arc;

use runtime::{Ask, CreateAgent, Runtime, Setup, Stay, Subject, TaskFilter};
use sqlite::Config;
use store::{Store, wait};
use testkit::{FakeWorld, ScriptedModel, TempHome};
use types::{AgentId, Code, Domain, Outcome, Position, Problem, Run, RunEnd, RunState};

fn start(home: &TempHome) -> Runtime {
    start_in(home, FakeWorld::seeded(7)).unwrap()
}

fn start_in(home: &TempHome, world: FakeWorld) -> Result<Runtime, Problem> {
    let store: Arc<dyn Store> = Arc::new(home.open(&Config::default()));
    let setup = Setup::with(Stay::OneCommand, ScriptedModel::saying(vec![]));
    wait(Runtime::start(store, Arc::new(world), setup))
}

fn add(runtime: &Runtime, title: &str, category: &str) {
    let arguments = serde_json::json!({ "title": title, "categoryId": category });
    let (verb, request) = ("create_task".to_owned(), Some(title.to_owned()));
    wait(runtime.journal.perform(Ask { verb, arguments, request, preview: false })).unwrap();
}

fn asked(runtime: &Runtime, category: &str, name: &str) -> CreateAgent {
    let category = wait(runtime.journal.category_find(category)).unwrap().id;
    let (template, name) = ("watcher".to_owned(), Some(name.to_owned()));
    CreateAgent { template, subject: Subject::Category(category), name, request: None }
}

fn watcher(runtime: &Runtime, category: &str) -> AgentId {
    wait(runtime.agent_create(asked(runtime, category, "w"))).unwrap().id
}

fn runs(runtime: &Runtime, agent: &AgentId) -> Vec<Run> {
    wait(runtime.store.runs(agent.clone(), 10)).unwrap()
}

#[test]
fn a_new_task_wakes_whoever_watches_its_category_and_nobody_else() {
    let home = TempHome::new();
    let runtime = start(&home);
    add(&runtime, "before anybody watched", "home");
    let (watches_home, watches_work) = (watcher(&runtime, "home"), watcher(&runtime, "work"));
    assert_eq!(wait(runtime.waker.match_changes()).unwrap(), 0, "what was before is not news");
    add(&runtime, "ferns", "home");
    assert_eq!(wait(runtime.waker.match_changes()).unwrap(), 1);
    assert_eq!(runs(&runtime, &watches_home).len(), 1);
    assert!(runs(&runtime, &watches_work).is_empty());
}

#[test]
fn a_start_in_which_a_step_panics_goes_on_and_one_that_cannot_look_says_so() {
    let home = TempHome::new();
    drop(start(&home));
    // The look asks for the time before anything else, and then each of its steps does.
    for (number, expected) in [(1, Some(Code::RunInterrupted)), (2, None), (3, None)] {
        let world = FakeWorld::seeded(7);
        let mut asked = 0;
        world.meanwhile(move || {
            asked += 1;
            assert!(asked < number, "planted");
            false
        });
        assert_eq!(start_in(&home, world).err().map(|problem| problem.code), expected, "{number}");
    }
}

#[test]
fn a_wake_with_nothing_to_decide_ends_as_a_receipt_without_a_token() {
    let home = TempHome::new();
    let runtime = start(&home);
    let agent = watcher(&runtime, "home");
    add(&runtime, "ferns", "home");
    wait(runtime.waker.match_changes()).unwrap();
    let before = wait(runtime.store.head(Domain::Agent)).unwrap();
    assert_eq!(wait(runtime.waker.drain()).unwrap(), 1);
    let run = runs(&runtime, &agent).pop().unwrap();
    let RunState::Ended { end: RunEnd::NothingToDo(receipt), .. } = run.state else {
        panic!("expected a receipt, got {:?}", run.state)
    };
    assert_eq!((receipt.rule.as_str(), receipt.changes_seen), ("nothing_relevant", 1));
    assert_eq!(run.usage, types::Usage::default());
    let after = wait(runtime.store.head(Domain::Agent)).unwrap();
    assert_eq!(before, after, "a wake that does nothing leaves nothing to sync");
}

#[test]
fn matching_again_after_a_crash_wakes_nobody_twice() {
    let home = TempHome::new();
    let runtime = start(&home);
    let agent = watcher(&runtime, "home");
    add(&runtime, "ferns", "home");
    // The process dies before it has matched: the next start does.
    drop(runtime);
    let runtime = start(&home);
    assert_eq!(runs(&runtime, &agent).len(), 1);
    assert_eq!(wait(runtime.waker.match_changes()).unwrap(), 0);
    drop(runtime);
    let runtime = start(&home);
    assert_eq!(runs(&runtime, &agent).len(), 1);
}

#[test]
fn the_same_request_again_gives_the_same_task() {
    let home = TempHome::new();
    let runtime = start(&home);
    add(&runtime, "ferns", "home");
    add(&runtime, "ferns", "home");
    let all = TaskFilter { limit: 10, ..TaskFilter::default() };
    assert_eq!(wait(runtime.journal.task_list(all)).unwrap().len(), 1);
}

#[test]
fn an_idle_start_writes_nothing() {
    let home = TempHome::new();
    let runtime = start(&home);
    add(&runtime, "ferns", "home");
    drop(runtime);
    let runtime = start(&home);
    let heads = Domain::ALL.map(|domain| wait(runtime.store.head(domain)).unwrap());
    assert_eq!(heads, [Position(2), Position(0)]);
    // Nobody listens, so the matcher leaves no trace.
    let name = types::CursorName::of_service("wake");
    let cursor = wait(runtime.store.cursor(Domain::Agent, name, Domain::Journal)).unwrap();
    assert_eq!(cursor, Position(0));
}

#[test]
fn an_agent_is_born_whole_or_not_at_all() {
    let home = TempHome::new();
    let runtime = start(&home);
    assert!(wait(runtime.agent_create(asked(&runtime, "home", " "))).is_err());
    assert!(wait(runtime.fleet.agent_list()).unwrap().is_empty());
    assert_eq!(wait(runtime.store.head(Domain::Agent)).unwrap(), Position(0));
    let agent = watcher(&runtime, "home");
    let listed = wait(runtime.fleet.agent_list()).unwrap();
    assert_eq!(listed.iter().map(|view| &view.id).collect::<Vec<_>>(), [&agent]);
    assert!(wait(runtime.fleet.agent_get("agent_nobody")).is_err());
}

#[test]
fn a_run_that_somebody_else_ended_is_a_conflict_and_not_a_second_end() {
    let home = TempHome::new();
    let runtime = start(&home);
    let agent = watcher(&runtime, "home");
    add(&runtime, "ferns", "home");
    wait(runtime.waker.match_changes()).unwrap();
    let run = runs(&runtime, &agent).pop().unwrap();
    wait(runtime.waker.drain()).unwrap();
    let again = types::Commit::new(
        Domain::Agent,
        types::Author::Runtime,
        types::At::EPOCH,
        vec![types::Write::EndRun {
            run_key: run.draft.run_key,
            end: RunEnd::SkippedSleeping,
            usage: types::Usage::default(),
        }],
    );
    assert!(matches!(wait(runtime.store.commit(again)).unwrap(), Outcome::Conflict(_)));
}

#[test]
fn a_look_that_does_not_reach_the_end_says_how_far_it_came() {
    let home = TempHome::new();
    let runtime = start(&home);
    let agent = watcher(&runtime, "home");
    let limit = types::limits::ROWS_PER_READ_MAX;
    for n in 0..limit + 50 {
        add(&runtime, &format!("task {n}"), "home");
    }
    wait(runtime.waker.match_changes()).unwrap();
    wait(runtime.waker.drain()).unwrap();
    // Of the runs, those that saw anything: the oldest saw a page, the next one the rest.
    let mut seen = Vec::new();
    let page = |after| wait(runtime.store.events(agent.clone(), Some(after), limit)).unwrap();
    let pages: Vec<types::Event> = (0..3).flat_map(|n| page(n * limit as u64)).collect();
    for event in pages {
        if event.kind != "run_ended" {
            continue;
        }
        let run_key = serde_json::from_value(event.body["run_key"].clone()).unwrap();
        let run = wait(runtime.store.run(run_key)).unwrap().unwrap();
        if let RunState::Ended { end: RunEnd::NothingToDo(receipt), .. } = run.state
            && receipt.changes_seen > 0
        {
            seen.push((receipt.changes_seen, receipt.journal_to.0 - receipt.journal_from.0));
        }
    }
    let limit = limit as u64;
    assert_eq!(seen, [(limit, limit), (50, 50)]);
}

#[test]
fn a_thousand_watchers_of_one_change_all_wake() {
    let home = TempHome::new();
    let runtime = start(&home);
    for _ in 0..types::limits::COMMIT_WRITES_MAX / 2 + 1 {
        watcher(&runtime, "home");
    }
    add(&runtime, "ferns", "home");
    let queued = wait(runtime.waker.match_changes()).unwrap();
    assert_eq!(queued, types::limits::COMMIT_WRITES_MAX as u64 / 2 + 1);
}

#[test]
fn the_same_request_again_gives_the_same_agent() {
    let home = TempHome::new();
    let runtime = start(&home);
    let params = CreateAgent { request: Some("r".to_owned()), ..asked(&runtime, "home", "w") };
    let first = wait(runtime.agent_create(params.clone())).unwrap().id;
    assert_eq!(wait(runtime.agent_create(params)).unwrap().id, first);
    assert_eq!(wait(runtime.fleet.agent_list()).unwrap().len(), 1);
}
