//! Who tends a task changes nothing beside it: every tool of such an agent, on its own task and on
//! another one of the same category.

use serde_json::{Value, json};
use tool::Call;
use types::{Body, Code, Domain, InvocationState};

use crate::house::{Errand, House};

/// A tool of an agent that tends a task, called on something of a task.
struct Case {
    tool: &'static str,
    on: fn(&House, &Errand) -> Value,
}

const fn case(tool: &'static str, on: fn(&House, &Errand) -> Value) -> Case {
    Case { tool, on }
}

/// The tools of a task agent that change the journal.
const CASES: &[Case] = &[
    case("add_multiple_checklist_items", |_, of| json!({ "taskId": of.task, "items": ["a"] })),
    case(
        "update_checklist_items",
        |_, of| json!({ "items": [{ "id": of.items[0], "checked": true }] }),
    ),
    case("create_checklist", |_, of| json!({ "taskId": of.task, "title": "more" })),
    case("set_task_title", |_, of| json!({ "taskId": of.task, "title": "moss" })),
    case("update_task_fields", |_, of| json!({ "taskId": of.task, "status": "in_progress" })),
    case("update_task_estimate", |_, of| json!({ "taskId": of.task, "estimateMinutes": 30 })),
    case("update_task_due_date", |_, of| json!({ "taskId": of.task, "dueDate": "2027-02-01" })),
    case("update_task_priority", |_, of| json!({ "taskId": of.task, "priority": "p0" })),
    case("assign_task_labels", |house, of| {
        let label = house.id("add_label", json!({ "name": "garden" }));
        json!({ "taskId": of.task, "labelIds": [label] })
    }),
    case("create_follow_up_task", |_, of| {
        json!({
            "sourceTaskId": of.task, "newTaskTitle": "next", "carryOverOpenChecklistItems": true,
            "closeSourceTaskAs": "done", "preserveCategoryAndLabels": true
        })
    }),
];

/// The same call, by an agent that tends a task.
pub(crate) fn tended(call: Call, task: &Errand) -> Call {
    Call { task: Some(task.task.parse().unwrap()), ..call }
}

#[test]
fn each_tool_works_on_the_task_that_is_tended_and_is_refused_on_another() {
    for Case { tool, on } in CASES {
        let house = House::new();
        let (own, other) = (house.errand("home"), house.errand("home"));
        let arguments = on(&house, &other);
        let before = house.everything();
        let refused = house.execute(tended(house.call(tool, arguments), &own));
        let failure = refused.result.unwrap_err();
        assert_eq!(failure.kind, Code::OutOfScope, "{tool}");
        assert!(failure.message.contains(&own.task), "{tool}: {}", failure.message);
        assert_eq!(house.everything(), before, "{tool}: nothing was done");
        let record = store::wait(house.store.record(Domain::Agent, refused.tool_action_id.into()));
        let Body::AgentToolInvocation(kept) = record.unwrap().unwrap().body else { panic!() };
        assert!(matches!(kept.state, InvocationState::Denied { rule, .. } if rule == "own_task"));

        let house = House::new();
        let (own, _) = (house.errand("home"), house.errand("home"));
        let arguments = on(&house, &own);
        let done = house.execute(tended(house.call(tool, arguments), &own));
        assert!(done.result.is_ok(), "{tool}: {:?}", done.result);
    }
}

#[test]
fn what_is_moved_is_taken_from_another_task_and_refused() {
    let house = House::new();
    let (own, other) = (house.errand("home"), house.errand("home"));
    let moves = |from: &Errand, to: &Errand| {
        json!({
            "itemIds": from.items, "fromChecklistId": from.list, "toChecklistId": to.list,
            "preserveCheckedState": true
        })
    };
    for (from, to) in [(&other, &own), (&own, &other)] {
        let call = tended(house.call("move_checklist_items", moves(from, to)), &own);
        assert_eq!(house.execute(call).result.unwrap_err().kind, Code::OutOfScope);
    }
}

#[test]
fn nothing_is_made_that_does_not_hang_on_the_task() {
    let house = House::new();
    let own = house.errand("home");
    let asks = [
        ("create_task", json!({ "title": "new", "categoryId": "category_home" })),
        ("get_or_create_day_plan", json!({ "planDate": "2027-01-01" })),
    ];
    for (tool, arguments) in asks {
        let receipt = house.execute(tended(house.call(tool, arguments), &own));
        assert_eq!(receipt.result.unwrap_err().kind, Code::OutOfScope, "{tool}");
    }
    let timer = json!({ "taskId": own.task });
    let started = house.execute(tended(house.call("start_task_timer", timer), &own));
    assert!(started.result.is_ok(), "time is spent on the task");
    let rated = json!({ "targetId": own.task, "score": 4 });
    let rated = house.execute(tended(house.call("create_or_update_rating", rated), &own));
    assert!(rated.result.is_ok(), "and a rating is of it: {rated:?}");
}

#[test]
fn reading_is_bound_by_categories_alone() {
    let house = House::new();
    let (own, other) = (house.errand("home"), house.errand("home"));
    let call = house.call("list_tasks_in_scope", json!({ "limit": 10 }));
    let shown = house.execute(tended(call, &own)).model_text();
    assert!(shown.contains(&own.task) && shown.contains(&other.task), "{shown}");
}
