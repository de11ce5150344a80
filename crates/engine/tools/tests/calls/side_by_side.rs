//! Calls of one answer that are carried out at once, and those that are not.

use std::sync::atomic::Ordering;

use serde_json::json;
use store::{Listing, ReadRecords, Store, wait};
use tool::Call;
use tools::{Error, Receipt};
use types::{
    Author, Body, BodyType, Code, Commit, Compliance, Domain, Epoch, FenceMove, FenceScope,
    InvocationState, Quota, RecordDraft, Task, Write, limits,
};

use crate::door::Fault;
use crate::house::{House, agent, id, rights, rights_with};

fn together(house: &House, calls: Vec<Call>) -> Vec<Receipt> {
    wait(house.carry_out(calls, &rights())).unwrap()
}

fn effects(house: &House) -> Vec<String> {
    house.door.effects.lock().unwrap().clone()
}

fn titled(house: &House, tool: &str, task: &str, title: &str) -> Call {
    house.named(tool, json!({ "task": format!("task_{task}"), "title": title }))
}

fn titles(receipts: &[Receipt]) -> Vec<String> {
    let title = |receipt: &Receipt| {
        receipt.result.as_ref().unwrap().payload["title"].as_str().unwrap().to_owned()
    };
    receipts.iter().map(title).collect()
}

#[test]
fn calls_that_touch_different_things_are_carried_out_at_once_and_answered_in_their_order() {
    let house = House::new();
    let calls = vec![
        house.set_title("ferns", "A"),
        house.set_title("taxes", "evade"),
        house.named("create_task", json!({ "title": "rake", "category": "category_home" })),
        house.set_title("moss", "B"),
    ];
    // The first is over after the last.
    house.door.slow("task_ferns", "task_moss", 1);
    let receipts = together(&house, calls);
    let effects = effects(&house);
    assert!(effects[..3].iter().all(|effect| effect.starts_with('+')), "{effects:?}");
    let over = |name: &str| effects.iter().position(|effect| effect == name).unwrap();
    assert!(over("-task_moss") < over("-task_ferns"), "{effects:?}");
    assert_eq!(receipts[0].result.as_ref().unwrap().payload["title"], "A");
    assert_eq!(receipts[1].result.as_ref().unwrap_err().kind, Code::OutOfScope);
    assert_eq!(receipts[2].tool_name, "create_task");
    assert_eq!(receipts[3].result.as_ref().unwrap().payload["title"], "B");
    let steps = house.door.steps.lock().unwrap().clone();
    assert_eq!(steps[0], "tool.intend", "all is written down before anything is done");
    assert_eq!(steps.iter().filter(|step| **step == "tool.intend").count(), 1);
}

#[test]
fn each_of_them_is_judged_audited_and_recorded_by_itself() {
    let house = House::new();
    let calls = vec![
        house.set_title("ferns", "A"),
        house.set_title("taxes", "evade"),
        house.set_title("moss", "forbidden"),
        house.set_title("moss", "B"),
    ];
    let receipts = together(&house, calls);
    let states: Vec<InvocationState> =
        receipts.iter().map(|receipt| house.invocation(receipt).state).collect();
    let done = |state: &InvocationState| {
        matches!(state, InvocationState::Done { compliance: Compliance::Compliant, .. })
    };
    assert!(done(&states[0]) && done(&states[3]), "{states:?}");
    assert!(matches!(states[1], InvocationState::Denied { .. }));
    assert!(matches!(states[2], InvocationState::Failed { .. }));
    let audited: Vec<String> = house.audited().into_iter().map(|(action, _)| action).collect();
    assert_eq!(
        audited,
        [
            "tool.allow",
            "tool.deny",
            "tool.allow",
            "tool.allow",
            "tool.done",
            "tool.failed",
            "tool.done"
        ]
    );
}

#[test]
fn calls_that_touch_the_same_go_one_after_the_other_and_others_past_them() {
    let house = House::new();
    let calls = vec![
        house.set_title("ferns", "A"),
        house.set_title("ferns", "B"),
        house.set_title("moss", "C"),
        house.set_title("ferns", "D"),
    ];
    house.door.slow("task_ferns", "task_moss", 1);
    let receipts = together(&house, calls);
    assert_eq!(titles(&receipts), ["A", "B", "C", "D"]);
    let was: Vec<&str> = receipts
        .iter()
        .map(|receipt| receipt.result.as_ref().unwrap().payload["was"].as_str().unwrap())
        .collect();
    assert_eq!(was, ["water the ferns", "A", "brush the moss", "B"], "each saw the one before");
    assert_eq!(
        effects(&house),
        [
            "+task_ferns",
            "+task_moss",
            "-task_moss",
            "-task_ferns",
            "+task_ferns",
            "-task_ferns",
            "+task_ferns",
            "-task_ferns"
        ],
        "none was tried in vain"
    );
    assert_eq!(house.task("ferns").1.revision, 4);
}

#[test]
fn no_more_are_carried_out_at_once_than_may_be() {
    let house = House::new();
    let many = limits::TOOLS_AT_ONCE_MAX * 2 + 1;
    let call = |n: usize| {
        let arguments = json!({ "title": format!("leaf {n}"), "category": "category_home" });
        house.named("create_task", arguments)
    };
    let receipts = together(&house, (0..many).map(call).collect());
    assert!(receipts.iter().all(|receipt| receipt.result.is_ok()));
    assert_eq!(house.door.most_at_once(), limits::TOOLS_AT_ONCE_MAX);
    let listing = Listing::of("category_home", BodyType::Task, 100);
    let tasks = wait(house.store().records(Domain::Journal, listing)).unwrap();
    let leaf = |body: &Body| matches!(body, Body::Task(task) if task.title.starts_with("leaf"));
    assert_eq!(tasks.iter().filter(|record| leaf(&record.body)).count(), many);
}

#[test]
fn a_tool_that_wants_to_be_alone_is() {
    let house = House::new();
    let calls = vec![
        house.set_title("moss", "A"),
        titled(&house, "title_alone", "ferns", "B"),
        house.named("create_task", json!({ "title": "rake", "category": "category_home" })),
    ];
    let receipts = together(&house, calls);
    assert!(receipts.iter().all(|receipt| receipt.result.is_ok()), "{receipts:?}");
    let effects = effects(&house);
    assert_eq!(effects[..4], ["+task_moss", "-task_moss", "+task_ferns", "-task_ferns"]);
    assert_eq!(house.door.most_at_once(), 1);
}

/// Somebody else gives the ferns another title, behind everybody's back.
fn meddle(store: &sqlite::SqliteStore) {
    let task = Task::new("meddled", id("category_home"));
    let write = Write::Record(RecordDraft::live(id::<types::RecordId>("task_ferns"), task));
    let commit = Commit::new(Domain::Journal, Author::Operator, types::At::EPOCH, vec![write]);
    wait(store.commit(commit)).unwrap();
}

#[test]
fn how_often_a_call_is_tried_is_its_tools_and_no_other_waits_for_that() {
    for (tool, result) in [("title_alone", Ok(())), ("title_once", Err(Code::Conflict))] {
        let house = House::new();
        let calls = vec![titled(&house, tool, "ferns", "A"), house.set_title("moss", "B")];
        house.door.meanwhile("tool.effect", meddle);
        let receipts = together(&house, calls);
        let found = receipts[0].result.as_ref().map(|_| ()).map_err(|failure| failure.kind);
        assert_eq!(found, result, "{tool}");
        let retryable = receipts[0].result.as_ref().err().map(|failure| failure.retryable);
        assert!(retryable.is_none_or(|retryable| retryable), "the model may try it again");
        assert!(receipts[1].result.is_ok(), "{tool}: its neighbour is not bothered");
    }
}

#[test]
fn what_moved_is_tried_again_beside_neighbours_that_it_does_not_touch() {
    let house = House::new();
    let calls = vec![house.set_title("ferns", "A"), house.set_title("moss", "B")];
    house.door.slow("task_moss", "task_ferns", 2);
    house.door.meanwhile("tool.effect", meddle);
    let receipts = together(&house, calls);
    assert_eq!(titles(&receipts), ["A", "B"]);
    assert_eq!(receipts[0].result.as_ref().unwrap().payload["was"], "meddled");
    let expected = "+task_ferns +task_moss -task_ferns +task_ferns -task_ferns -task_moss";
    assert_eq!(effects(&house).join(" "), expected);
}

#[test]
fn a_stop_while_several_are_under_way_stops_each_that_is_not_done() {
    let house = House::new();
    let before = house.journal();
    let calls = vec![house.set_title("ferns", "A"), house.set_title("moss", "B")];
    let epoch = Epoch { attempt: 1, ..house.door.epoch() };
    house.door.meanwhile("tool.effect", move |store| {
        for domain in Domain::ALL {
            let scope = FenceScope::Agent(agent());
            let write = Write::Fence(FenceMove { scope, epoch, closed: false });
            let commit = Commit::new(domain, Author::Operator, types::At::EPOCH, vec![write]);
            wait(store.commit(commit)).unwrap();
        }
    });
    let receipts = together(&house, calls.clone());
    let kinds: Vec<Code> =
        receipts.iter().map(|receipt| receipt.result.as_ref().unwrap_err().kind).collect();
    assert_eq!(kinds, [Code::Fenced, Code::Fenced]);
    assert_eq!(house.journal(), before);
    let open = wait(house.executor.unsettled(&agent())).unwrap();
    assert_eq!(open.len(), 2, "both are as they were meant");
    let calls = calls.into_iter().map(|call| Call { epoch, ..call }).collect();
    assert_eq!(titles(&together(&house, calls)), ["A", "B"]);
}

#[test]
fn a_disk_that_fails_under_several_leaves_each_unknown_and_none_is_done_twice() {
    for fault in [Fault::DiskLoses, Fault::DiskKeeps] {
        let house = House::new();
        let calls = vec![house.set_title("ferns", "A"), house.set_title("moss", "B")];
        house.door.plan(1, fault);
        let receipts = together(&house, calls.clone());
        for receipt in &receipts {
            assert_eq!(house.invocation(receipt).state, InvocationState::Unknown, "{fault:?}");
        }
        let house = house.restart();
        let epoch = house.door.epoch();
        let calls = calls.into_iter().map(|call| Call { epoch, ..call }).collect();
        assert_eq!(titles(&together(&house, calls)), ["A", "B"]);
        for task in ["ferns", "moss"] {
            assert_eq!(house.task(task).1.revision, 2, "{fault:?}: {task} once");
        }
    }
}

#[test]
fn what_takes_from_one_quota_is_judged_in_its_order() {
    let house = House::new();
    let rights = rights_with("set_title", Quota { max_per_session: Some(2), max_per_day: None });
    let calls = vec![
        house.set_title("taxes", "evade"),
        house.set_title("ferns", "A"),
        house.set_title("moss", "B"),
        house.set_title("ferns", "C"),
    ];
    let receipts = wait(house.carry_out(calls, &rights)).unwrap();
    let kinds: Vec<Option<Code>> =
        receipts.iter().map(|one| one.result.as_ref().err().map(|error| error.kind)).collect();
    // What was denied takes nothing.
    assert_eq!(kinds, [Some(Code::OutOfScope), None, None, Some(Code::ToolQuotaExceeded)]);
}

#[test]
fn if_one_cannot_be_seen_through_the_others_under_way_are_and_no_more_begin() {
    let house = House::new();
    let calls = vec![
        house.set_title("ferns", "A"),
        house.set_title("moss", "B"),
        house.set_title("ferns", "C"),
    ];
    // The store goes away under the answer of the first, when it is asked what was changed.
    house.door.slow("task_moss", "task_ferns", 1);
    house.door.quiet.store(true, Ordering::SeqCst);
    house.door.refuse("changes");
    let failed = wait(house.carry_out(calls.clone(), &rights()));
    assert!(matches!(failed, Err(Error::Store(_))), "{failed:?}");
    assert_eq!(
        effects(&house),
        ["+task_ferns", "+task_moss", "-task_ferns", "-task_moss"],
        "the one under way was waited for, and the third was not begun"
    );
    assert_eq!(titles(&together(&house, calls)), ["A", "B", "C"]);
    assert_eq!((house.task("ferns").1.revision, house.task("moss").1.revision), (3, 2));
}
