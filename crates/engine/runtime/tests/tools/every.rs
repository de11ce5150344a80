//! What holds for every tool.

use std::collections::{BTreeMap, BTreeSet};

use policy::Rights;
use serde_json::{Value, json};
use store::wait;
use tool::{Call, Contract};
use types::{Author, Code, Digest, Domain, OperationId, WakeReason};

use crate::house::{House, SECRET, all_rights, run};
use crate::own_task::tended;
use crate::scenes::{SCENES, Scene};

fn contract(house: &House, tool: &str) -> Contract {
    *house.journal.tools().iter().find(|known| known.contract().name == tool).unwrap().contract()
}

/// The scenes of tools that change something, or of those that only read.
fn scenes(mutating: bool) -> Vec<&'static Scene> {
    let house = House::new();
    SCENES.iter().filter(|scene| contract(&house, scene.tool).mutates() == mutating).collect()
}

#[test]
fn every_tool_has_a_scene() {
    let house = House::new();
    let tools: BTreeSet<&str> = house.journal.tools().iter().map(|t| t.contract().name).collect();
    let played: BTreeSet<&str> = SCENES.iter().map(|scene| scene.tool).collect();
    assert_eq!(played, tools);
}

#[test]
fn every_change_is_made_once_under_its_name_and_can_be_put_back() {
    for scene in scenes(true) {
        let house = House::new();
        let call = house.call(scene.tool, (scene.arguments)(&house, "home"));
        let (before, head) = (house.everything(), house.head());
        let first = house.execute(call.clone());
        let answer = first.result.as_ref().unwrap_or_else(|e| panic!("{}: {e:?}", scene.tool));
        assert!(!answer.changed.is_empty(), "{}", scene.tool);
        assert_eq!(house.head().0, head.0 + 1, "{} is one change", scene.tool);
        let after = house.everything();
        assert_ne!(before, after, "{} changes something", scene.tool);

        let operation = call.operation.unwrap();
        let done = wait(house.store.operation(Domain::Journal, operation)).unwrap().unwrap();
        assert_eq!((done.verb.as_str(), done.run_key), (scene.tool, Some(run())));
        assert!(matches!(done.author, Author::Agent { .. }));

        let again = house.execute(call);
        assert!(again.repeated, "{} again is told to be so", scene.tool);
        let same = again.result.unwrap();
        assert_eq!((&same.payload, &same.changed), (&answer.payload, &answer.changed));
        assert_eq!(house.everything(), after, "{} again does nothing", scene.tool);

        house.undo(operation).unwrap_or_else(|problem| panic!("{}: {problem}", scene.tool));
        assert_eq!(house.everything(), before, "{} is put back", scene.tool);
    }
}

#[test]
fn no_tool_reaches_into_another_category() {
    for scene in SCENES {
        let house = House::new();
        let arguments = (scene.arguments)(&house, "work");
        let before = house.everything();
        let receipt = house.execute(house.call(scene.tool, arguments));
        let text = receipt.model_text();
        match receipt.result {
            Err(failure) => assert_eq!(failure.kind, Code::OutOfScope, "{}: {text}", scene.tool),
            // A read answers with what it may see, and a day's plan is everybody's.
            Ok(_) => assert!(
                !contract(&house, scene.tool).mutates() || scene.tool == "get_or_create_day_plan",
                "{}: {text}",
                scene.tool
            ),
        }
        assert!(
            !text.contains(SECRET)
                || scene.tool == "resolve_task_reference" && !text.contains("water"),
            "{}: {text}",
            scene.tool
        );
        let kept = |(id, body): (_, String)| body.contains(SECRET).then_some((id, body));
        let secrets = |all: BTreeMap<_, _>| all.into_iter().filter_map(kept).collect::<Vec<_>>();
        assert_eq!(secrets(house.everything()), secrets(before), "{}", scene.tool);
    }
}

#[test]
fn who_has_no_category_changes_nothing_and_sees_nothing() {
    for scene in SCENES {
        let house = House::new();
        let arguments = (scene.arguments)(&house, "home");
        let (before, said) = (house.everything(), arguments.to_string());
        let receipt = house.execute(Call { scope: [].into(), ..house.call(scene.tool, arguments) });
        let text = receipt.model_text();
        match receipt.result {
            Err(failure) => assert_eq!(failure.kind, Code::OutOfScope, "{}: {text}", scene.tool),
            Ok(_) => assert_eq!(house.everything(), before, "{}: {text}", scene.tool),
        }
        let seen = text.contains("water the ferns") && !said.contains("water the ferns");
        assert!(!seen, "{}: {text}", scene.tool);
    }
}

#[test]
fn no_tool_changes_anything_beside_the_task_that_is_tended() {
    for scene in scenes(true) {
        let house = House::new();
        let own = house.errand("home");
        let arguments = (scene.arguments)(&house, "home");
        let before = house.everything();
        let receipt = house.execute(tended(house.call(scene.tool, arguments), &own));
        let refused = receipt.result.as_ref().err().map(|failure| failure.kind);
        assert_eq!(refused, Some(Code::OutOfScope), "{}: {}", scene.tool, receipt.model_text());
        assert_eq!(house.everything(), before, "{}", scene.tool);
    }
}

/// The same arguments with every id cut down to its ending, as people write them; says how many there
/// were.
fn shortened(value: &mut Value) -> usize {
    match value {
        Value::String(text) => {
            let id = text.rsplit_once('_').is_some_and(|(_, rest)| rest.len() > 20);
            if id {
                *text = text[text.len() - 8..].to_owned();
            }
            usize::from(id)
        }
        Value::Array(all) => all.iter_mut().map(shortened).sum(),
        Value::Object(all) => all.values_mut().map(shortened).sum(),
        _ => 0,
    }
}

#[test]
fn what_is_not_named_for_certain_is_not_touched() {
    let mut tried = 0;
    for scene in scenes(true) {
        let house = House::new();
        let mut arguments = (scene.arguments)(&house, "home");
        if shortened(&mut arguments) == 0 {
            continue;
        }
        tried += 1;
        let before = house.everything();
        let call = house.call(scene.tool, arguments);
        let named = Call { operation: Some(OperationId(Digest::ZERO)), ..call };
        let receipt = house.execute(named);
        let refused = receipt.result.as_ref().err().map(|failure| failure.kind);
        let text = receipt.model_text();
        assert_eq!(refused, Some(Code::UnsafeTarget), "{}: {text}", scene.tool);
        assert_eq!(house.everything(), before, "{}", scene.tool);
    }
    assert!(tried > 10, "only {tried} tools name something by its id");
}

/// The same with ids that nothing has.
fn nobodys(arguments: &mut Value) {
    match arguments {
        Value::String(text) if text.contains("_01") => {
            text.truncate(text.len() - 4);
            text.push_str("0000");
        }
        Value::Array(values) => values.iter_mut().for_each(nobodys),
        Value::Object(fields) => fields.values_mut().for_each(nobodys),
        _ => {}
    }
}

#[test]
fn an_agent_that_names_what_is_not_there_or_asks_twice_is_shown_a_way_out_of_its_own() {
    let mut refused = BTreeSet::new();
    for (scene, number) in SCENES.iter().zip(0..) {
        let house = House::new();
        let arguments = (scene.arguments)(&house, "home");
        let mut others = arguments.clone();
        nobodys(&mut others);
        for (arguments, time) in [others, arguments.clone(), arguments].into_iter().zip(0..) {
            let call = house.call(scene.tool, arguments);
            let operation = Some(OperationId(Digest::from_bytes([3 * number + time; 32])));
            // The house itself minds what an agent is told.
            let receipt = house.execute(Call { operation, ..call });
            refused.extend(receipt.result.err().map(|failure| (scene.tool, failure.kind.as_str())));
        }
    }
    for kind in [Code::OutOfScope, Code::TimerRunning, Code::NoSuchStep] {
        assert!(refused.iter().any(|(_, why)| *why == kind.as_str()), "{kind}: {refused:?}");
    }
    assert!(refused.len() > 15, "{refused:?}");
}

#[test]
fn an_agent_is_told_the_same_of_what_is_hidden_from_it_and_of_what_is_not_there() {
    let mut compared = 0;
    for scene in SCENES {
        let house = House::new();
        let hidden = (scene.arguments)(&house, "work");
        let mut missing = hidden.clone();
        nobodys(&mut missing);
        if missing == hidden {
            continue;
        }
        let told = |arguments, n| {
            let operation = Some(OperationId(Digest::from_bytes([n; 32])));
            house.execute(Call { operation, ..house.call(scene.tool, arguments) }).model_text()
        };
        assert_eq!(told(hidden, 1), told(missing, 2), "{}", scene.tool);
        compared += 1;
    }
    assert!(compared > 15, "only {compared} tools name something by its id");
}

#[test]
fn a_preview_is_shown_where_it_is_offered_and_refused_where_not() {
    for scene in scenes(true) {
        let house = House::new();
        let call = house.call(scene.tool, (scene.arguments)(&house, "home"));
        let before = house.everything();
        let shown = house.execute(Call { preview: true, ..call.clone() });
        assert_eq!(house.everything(), before, "{}", scene.tool);
        match shown.result {
            Ok(_) => assert!(contract(&house, scene.tool).preview && shown.preview),
            Err(failure) => {
                assert_eq!(failure.kind, Code::PreviewNotOffered, "{}", scene.tool);
                assert!(!contract(&house, scene.tool).preview, "{}", scene.tool);
            }
        }
        assert!(house.execute(call).result.is_ok(), "{} is done after it was shown", scene.tool);
    }
}

#[test]
fn a_tool_is_refused_without_its_capability_its_name_or_its_wake() {
    for scene in SCENES {
        let house = House::new();
        let call = house.call(scene.tool, (scene.arguments)(&house, "home"));
        let head = house.head();
        let refused = |call: Call, rights: &Rights| {
            let receipt = house.carry_out(vec![call], rights).remove(0);
            receipt.result.err().map(|failure| failure.kind)
        };
        let none = Rights::default();
        assert_eq!(refused(call.clone(), &none), Some(Code::CapabilityMissing), "{}", scene.tool);
        let contract = contract(&house, scene.tool);
        if contract.mutates() {
            let nameless = Call { operation: None, ..call.clone() };
            assert_eq!(refused(nameless, &all_rights()), Some(Code::OperationIdMissing));
        }
        let woken = Call { wake_reason: WakeReason::Subscription, ..call.clone() };
        if !contract.wake_reasons.contains(&WakeReason::Subscription) {
            assert_eq!(refused(woken, &all_rights()), Some(Code::WakeReasonNotAllowed));
        }
        let strange = house.call(scene.tool, json!({ "colour": "red" }));
        assert_eq!(refused(strange, &all_rights()), Some(Code::BadArguments), "{}", scene.tool);
        assert_eq!(house.head(), head, "{}: a refusal changes nothing", scene.tool);
    }
}

#[test]
fn a_then_b_then_a_again_are_three_effects() {
    let house = House::new();
    let task = house.errand("home").task;
    let mut operations = BTreeSet::new();
    for title in ["moss", "ivy", "moss"] {
        let head = house.head();
        let call = house.call("set_task_title", json!({ "taskId": task, "title": title }));
        operations.insert(call.operation.unwrap());
        let receipt = house.execute(call);
        assert!(receipt.result.is_ok() && !receipt.repeated);
        assert_eq!(house.head().0, head.0 + 1);
    }
    assert_eq!(operations.len(), 3);
}

#[test]
fn a_timer_that_was_stopped_is_started_again_in_the_same_run() {
    let house = House::new();
    let task = house.errand("home").task;
    let start = || {
        let call = house.call("start_task_timer", json!({ "taskId": task }));
        let (operation, receipt) = (call.operation.unwrap(), house.execute(call));
        assert!(!receipt.repeated, "{receipt:?}");
        let answer = receipt.result.unwrap().payload;
        (operation, answer["id"].as_str().unwrap().to_owned())
    };
    let (first, timer) = start();
    let stop = house.call("stop_task_timer", json!({ "timeEntryId": timer }));
    assert!(house.execute(stop).result.is_ok());
    let (second, other) = start();
    assert!(first != second && timer != other);
}

#[test]
fn all_that_a_run_did_is_put_back_together() {
    let house = House::new();
    let errand = house.errand("home");
    let before = house.everything();
    let asks = [
        ("set_task_title", json!({ "taskId": errand.task, "title": "moss" })),
        ("add_multiple_checklist_items", json!({ "taskId": errand.task, "items": ["can"] })),
        ("update_task_priority", json!({ "taskId": errand.task, "priority": "p0" })),
    ];
    for (tool, arguments) in asks {
        assert!(house.execute(house.call(tool, arguments)).result.is_ok());
    }
    wait(house.journal.undo(&run().to_string(), None)).unwrap();
    assert_eq!(house.everything(), before);
}

#[test]
fn what_was_undone_of_a_run_already_does_not_keep_the_rest() {
    let house = House::new();
    let errand = house.errand("home");
    let before = house.everything();
    let does = |item: &str| {
        let arguments = json!({ "taskId": errand.task, "items": [item] });
        let call = house.call("add_multiple_checklist_items", arguments);
        let operation = call.operation.unwrap();
        assert!(house.execute(call).result.is_ok());
        operation.to_string()
    };
    let undo = |what: &str| wait(house.journal.undo(what, None));
    let [_, second, _] = ["can", "moss", "rake"].map(does);
    undo(&second).unwrap();
    let run = run().to_string();
    let rest = undo(&run).unwrap().answer;
    assert_eq!(rest["undone"].as_array().unwrap().len(), 2);
    assert_eq!(house.everything(), before);
    assert!(undo(&run).unwrap_err().to_string().contains("undone already"));
    // It is under way, and goes on after it was undone.
    does("twine");
    undo(&run).unwrap();
    assert_eq!(house.everything(), before);
}
