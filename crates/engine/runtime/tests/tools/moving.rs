//! Moving a task from one category to another: who does it has both.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use store::wait;
use tool::Call;
use types::{Body, CategoryId, Code, Domain, InvocationState};

use crate::house::{Errand, House};

fn moves(of: &Errand, to: &str) -> Value {
    json!({ "taskId": of.task, "categoryId": to })
}

/// The same call with these categories.
fn within(call: Call, scope: &[&str]) -> Call {
    let scope = scope.iter().map(|category| category.parse().unwrap()).collect();
    Call { scope, ..call }
}

/// Where a call of the tool would land, by the tool's own word.
fn destinations(house: &House, call: &Call) -> BTreeSet<CategoryId> {
    let tools = house.journal.tools();
    let tool = tools.iter().find(|tool| tool.contract().name == call.tool).unwrap();
    wait(tool.plan(call)).1.unwrap().destinations
}

#[test]
fn a_task_is_moved_by_whoever_has_both_categories_and_by_nobody_else() {
    let house = House::new();
    let (home, work) = (house.errand("home"), house.errand("work"));
    let text = "about the ferns";
    house.does("write_entry", json!({ "text": text, "taskId": home.task }));
    let cases = [
        (moves(&home, "category_work"), "category_home", "where it goes to is another's"),
        (moves(&work, "category_home"), "category_home", "where it comes from is another's"),
        (moves(&home, "category_work"), "category_work", "the same, for whoever has the other one"),
    ];
    let before = house.everything();
    for (arguments, scope, why) in cases {
        let refused = house.execute(within(house.call("update_task_fields", arguments), &[scope]));
        assert_eq!(refused.result.unwrap_err().kind, Code::OutOfScope, "{why}");
        assert_eq!(house.everything(), before, "{why}: nothing was done");
        let record = wait(house.store.record(Domain::Agent, refused.tool_action_id.into()));
        let Body::AgentToolInvocation(kept) = record.unwrap().unwrap().body else { panic!() };
        let InvocationState::Denied { rule, .. } = kept.state else { panic!("{why}: {kept:?}") };
        assert_eq!(rule, "category_scope", "{why}");
    }
    let call = house.call("update_task_fields", moves(&home, "category_work"));
    // The gate reads it from what would be written as well; the tool says it of itself.
    assert_eq!(destinations(&house, &call), ["category_work".parse().unwrap()].into());
    let done = house.execute(within(call, &["category_home", "category_work"]));
    assert!(done.result.is_ok(), "{:?}", done.result);
    let moved = wait(house.journal.task_get(&home.task)).unwrap();
    assert_eq!(moved.task.category_id.as_str(), "category_work");
    let entry = house.everything().into_values().find(|body| body.contains(text)).unwrap();
    assert!(entry.contains("category_work"), "what was written about it goes along: {entry}");
}
