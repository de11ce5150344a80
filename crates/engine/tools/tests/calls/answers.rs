//! Calls that are allowed: what is done, what is answered, what is left behind.

use serde_json::{Value, json};
use store::{ReadChanges, ReadHistory, ReadRecords, wait};
use tool::Call;
use types::{
    Author, Body, BodyType, Code, Compliance, Domain, InvocationState, Position, Relation, TaskId,
};

use crate::house::{House, agent, id, one, rights, run};

#[test]
fn a_change_is_intended_done_and_recorded_with_everything_that_explains_it() {
    let house = House::new();
    let call = house.set_title("ferns", "mist the ferns");
    let receipt = house.execute(call.clone());
    assert_eq!(*house.door.steps.lock().unwrap(), ["tool.intend", "tool.effect", "tool.record"]);
    assert_eq!(house.task("ferns").0.title, "mist the ferns");

    let success = receipt.result.clone().unwrap();
    assert_eq!(success.payload, json!({ "title": "mist the ferns", "was": "water the ferns" }));
    // Read again afterwards: the record's clock, and the tokens of the change itself.
    let (_, record) = house.task("ferns");
    assert_eq!(success.changed.len(), 1);
    assert_eq!((&success.changed[0].id, &success.changed[0].clock), (&record.id, &record.clock));
    let head = wait(house.store().head(Domain::Journal)).unwrap();
    let log = house.store().changes(Domain::Journal, Position(head.0 - 1), 1);
    let change = wait(log).unwrap().remove(0);
    assert_eq!(success.changed_tokens, change.tokens);
    assert!(success.changed_tokens.iter().any(|token| token.key() == "entityId|-|task_ferns"));
    assert_eq!(change.author.agent(), Some(&agent()), "so it never wakes who made it");

    let operation =
        wait(house.store().operations_of_run(Domain::Journal, run())).unwrap().remove(0);
    assert_eq!(Some(operation.id), call.operation);
    assert_eq!((operation.verb.as_str(), operation.subject), ("set_title", id("task_ferns")));
    assert!(matches!(operation.author, Author::Agent { run: by, .. } if by == run()));
    assert!(operation.pre_image.is_some(), "it can be undone");

    let invocation = house.invocation(&receipt);
    let InvocationState::Done { result, compliance, changed, changed_tokens, repeated } =
        &invocation.state
    else {
        panic!("not done but {:?}", invocation.state);
    };
    assert_eq!(*changed_tokens, success.changed_tokens);
    assert_eq!(house.content(result), receipt.to_json());
    assert_eq!((*compliance, *repeated), (Compliance::Compliant, false));
    assert_eq!(*changed, success.changed);
    let effects = house.store().links_from(
        Domain::Agent,
        (&receipt.tool_action_id).into(),
        Relation::ToolEffect,
    );
    let effects: Vec<String> =
        wait(effects).unwrap().into_iter().map(|link| link.to.to_string()).collect();
    assert_eq!(effects, ["task_ferns"]);
    assert_eq!(
        house.audited(),
        [
            ("tool.allow".to_owned(), "capability:set_title".to_owned()),
            ("tool.done".to_owned(), "compliant:set_title".to_owned()),
        ]
    );
    let audit = wait(house.store().audit(Domain::Journal, 0, 10)).unwrap().pop().unwrap();
    let expected = format!("set_title:{}", receipt.tool_action_id);
    assert_eq!((audit.action.as_str(), audit.detail), ("tool.effect", expected));
}

#[test]
fn an_execution_can_be_moved_to_another_thread() {
    let house = House::new();
    let (executor, call) = (house.executor.clone(), house.set_title("ferns", "mist the ferns"));
    let moved = std::thread::spawn(move || {
        let rights = rights();
        // Whoever runs many of them needs futures that may change threads.
        let execution: std::pin::Pin<Box<dyn Future<Output = _> + Send + '_>> =
            Box::pin(one(&executor, call, &rights));
        wait(execution).unwrap()
    });
    assert!(moved.join().unwrap().result.is_ok());
}

#[test]
fn the_same_operation_is_done_once_and_answers_the_same_whatever_has_changed() {
    let house = House::new();
    let call = house.set_title("ferns", "mist the ferns");
    let first = house.execute(call.clone());
    let before = (house.journal(), house.audited());
    // Out of its scope by now, of another title, and asked for by somebody with no rights to plan it.
    house.put("ferns", "gone", "work");
    let again = house.execute(call.clone());
    assert!(again.repeated && !first.repeated);
    assert_eq!((&again.result, &again.operation_id), (&first.result, &first.operation_id));
    assert_eq!(house.task("ferns").0.title, "gone", "it was not done again");
    let narrower = Call { scope: [].into(), ..call };
    assert_eq!(house.execute(narrower).result, first.result);
    assert_eq!(house.audited(), before.1);
    assert_eq!(house.journal().1, before.0.1);
}

#[test]
fn a_call_that_somebody_else_finishes_meanwhile_is_answered_from_the_record() {
    let house = House::new();
    let call = house.set_title("ferns", "mist the ferns");
    let (neighbour, same) = (house.neighbour(), call.clone());
    house.door.meanwhile("tool.intend", move |_| {
        assert!(wait(one(&neighbour, same, &rights())).unwrap().result.is_ok());
    });
    let receipt = house.execute(call.clone());
    assert!(receipt.repeated && receipt.result.is_ok());
    // What was finished is not taken for something that is still to be done.
    assert_eq!(*house.door.steps.lock().unwrap(), ["tool.intend"]);
    assert_eq!(house.journal().1, 1);
    // Between the intent and the effect, the effect finds its own answer.
    let call = house.set_title("ferns", "drench the ferns");
    let (neighbour, same) = (house.neighbour(), call.clone());
    house.door.meanwhile("tool.effect", move |_| {
        assert!(wait(one(&neighbour, same, &rights())).unwrap().result.is_ok());
    });
    let receipt = house.execute(call);
    assert!(receipt.repeated && receipt.result.is_ok());
    assert_eq!(house.journal().1, 2);
    assert!(matches!(house.invocation(&receipt).state, InvocationState::Done { .. }));
}

#[test]
fn the_same_words_later_are_another_operation_and_a_retry_is_the_same() {
    let house = House::new();
    let name = |title: &str| house.set_title("ferns", title).operation;
    let first = name("A");
    assert_eq!(first, name("A"), "nothing has changed");
    house.execute(house.set_title("ferns", "A"));
    let second = name("B");
    house.execute(house.set_title("ferns", "B"));
    let third = name("A");
    assert!(first != third && second != third);
    let receipt = house.execute(house.set_title("ferns", "A"));
    assert!(!receipt.repeated && receipt.result.is_ok());
    assert_eq!(house.task("ferns").0.title, "A");
    assert_eq!(house.journal().1, 3);
}

#[test]
fn a_creation_is_named_by_its_parent_and_makes_one_record() {
    let house = House::new();
    let ask =
        || house.named("create_task", json!({ "title": "rake", "category": "category_home" }));
    let (one, other) = (ask(), ask());
    assert_eq!(one.operation, other.operation, "although every plan has an id of its own");
    let first = house.execute(one);
    let again = house.execute(other);
    assert_eq!(first.result, again.result);
    let made: TaskId = id(first.result.unwrap().payload["id"].as_str().unwrap());
    let listing = store::Listing::of("category_home", BodyType::Task, 100);
    let tasks = wait(house.store().records(Domain::Journal, listing)).unwrap();
    let raked = tasks
        .iter()
        .filter(|record| matches!(&record.body, Body::Task(task) if task.title == "rake"));
    assert_eq!(raked.map(|record| record.id.to_string()).collect::<Vec<_>>(), [made.to_string()]);
}

#[test]
fn a_read_is_one_commit_and_touches_no_journal() {
    let house = House::new();
    let before = house.journal();
    let call = house.call("list_tasks", json!({}));
    let receipt = house.execute(call.clone());
    assert_eq!(*house.door.steps.lock().unwrap(), ["tool.record"]);
    assert_eq!(house.journal(), before);
    let done = house.invocation(&receipt);
    assert!(matches!(done.state, InvocationState::Done { ref changed, .. } if changed.is_empty()));
    assert_eq!(done.operation, None);
    // The same call again, after a crash before its answer was used, is answered as it was.
    house.put("ferns", "something new", "home");
    let again = house.execute(call);
    assert!(again.repeated);
    assert_eq!(again.result, receipt.result);
}

#[test]
fn a_preview_shows_what_would_be_and_does_nothing() {
    let house = House::new();
    house.put("ferns", "water the ferns", "home");
    let before = house.journal();
    let scope = [id("category_home"), id("category_work")].into();
    let arguments = json!({ "task": "task_ferns", "category": "category_work" });
    let apply = Call { scope, ..house.call("move_task", arguments) };
    let preview = Call { id: "preview".to_owned(), preview: true, ..apply.clone() };
    assert!(wait(house.executor.name(&preview)).is_none(), "a preview uses no name");
    let shown = house.execute(preview);
    assert!(shown.preview && shown.operation_id.is_none());
    let expected = json!({
        "would_change": ["task_ferns"],
        "would_answer": { "from": "category_home", "to": "category_work" },
    });
    assert_eq!(shown.result.as_ref().unwrap().payload, expected);
    assert!(shown.model_text().contains(r#""preview":true"#));
    assert_eq!(house.journal(), before);
    assert_eq!(*house.door.steps.lock().unwrap(), ["tool.record"]);
    assert_eq!(house.invocation(&shown).operation, None);
    // And then it is applied.
    let named = wait(house.executor.name(&apply)).unwrap();
    let apply = Call { operation: Some(named.operation), ..apply };
    assert!(house.execute(apply).result.is_ok());
    assert_eq!(house.task("ferns").0.category_id.as_str(), "category_work");
}

#[test]
fn a_change_that_changes_nothing_is_answered_and_not_done() {
    let house = House::new();
    let before = house.journal();
    let call = house.set_title("ferns", "water the ferns");
    let receipt = house.execute(call.clone());
    assert_eq!(receipt.result.as_ref().unwrap().changed, []);
    assert_eq!(house.journal(), before);
    let again = house.execute(call);
    assert!(again.repeated);
    assert_eq!(again.result, receipt.result);
}

#[test]
fn a_failure_is_typed_kept_and_told_with_the_way_out() {
    let house = House::new();
    let receipt = house.execute(house.set_title("nobody", "x"));
    let invocation = house.invocation(&receipt);
    let InvocationState::Failed { result, .. } = &invocation.state else { panic!("not failed") };
    let kept = house.content(result);
    let error = json!({
        "kind": "unknown_task",
        "message": "there is no task_nobody",
        "details": { "field": "task" },
        "recovery_hint": "look at the list of tasks",
        "retryable": false,
    });
    assert_eq!(kept["error"], error);
    let shown: Value = serde_json::from_str(&receipt.model_text()).unwrap();
    assert_eq!((&shown["field"], &shown["hint"]), (&json!("task"), &error["recovery_hint"]));
    assert_eq!(
        house.audited(),
        [
            ("tool.allow".to_owned(), "capability:set_title".to_owned()),
            ("tool.failed".to_owned(), "unknown_task:set_title".to_owned()),
        ]
    );
    // The audit has its kind, and names the call under which all of it lies.
    let entries = wait(house.store().audit(Domain::Agent, 0, 1_000)).unwrap();
    let told = entries.iter().find(|entry| entry.action == "tool.failed").unwrap();
    assert_eq!(told.subject, receipt.tool_action_id.to_string());
    assert!(!receipt.model_text().contains('\n'), "one line of text");
}

#[test]
fn what_moved_between_plan_and_effect_is_planned_and_judged_anew() {
    let house = House::new();
    let call = house.set_title("ferns", "mist the ferns");
    let now = world::World::now(&*house.world);
    let edit = move |store: &sqlite::SqliteStore, category: &str| {
        let body = types::Task::new("edited by hand", id(category));
        let record: types::RecordId = id("task_ferns");
        let write = types::Write::Record(types::RecordDraft::live(record, body));
        let commit = types::Commit::new(Domain::Journal, Author::Operator, now, vec![write]);
        wait(store::Store::commit(store, commit)).unwrap();
    };
    house.door.meanwhile("tool.effect", move |store| edit(store, "category_home"));
    let receipt = house.execute(call);
    let answer = json!({ "title": "mist the ferns", "was": "edited by hand" });
    assert_eq!(receipt.result.unwrap().payload, answer);
    // If it was moved out of the agent's sight, it stays as it was put.
    let call = house.set_title("ferns", "drown the ferns");
    house.door.meanwhile("tool.effect", move |store| edit(store, "category_work"));
    let receipt = house.execute(call);
    assert_eq!(house.task("ferns").0.title, "edited by hand");
    assert!(matches!(house.invocation(&receipt).state, InvocationState::Denied { .. }));
    assert_eq!(receipt.result.unwrap_err().kind, Code::OutOfScope);
    assert_eq!(house.audited().last().unwrap().1, "out_of_scope:set_title");
}

#[test]
fn a_plan_that_breaks_the_rules_of_a_record_fails_and_leaves_nothing() {
    let house = House::new();
    let before = house.journal();
    let receipt = house.execute(house.set_title("ferns", "two\nlines"));
    assert_eq!(house.journal(), before);
    assert!(matches!(house.invocation(&receipt).state, InvocationState::Failed { .. }));
    assert_eq!(receipt.result.unwrap_err().kind, Code::InvalidRecord);
    let ok = wait(house.one(house.set_title("ferns", "one line"), &rights())).unwrap();
    assert!(ok.result.is_ok());
}
