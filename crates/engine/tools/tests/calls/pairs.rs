//! An action and its result: one record, with everything that can be looked for in it.

use std::sync::{Arc, Mutex};

use serde_json::json;
use sqlite::SqliteStore;
use store::{Listing, ReadRecords, wait};
use tool::Call;
use types::{ActionType, Body, BodyType, Code, Domain, InvocationState, Record, limits};

use crate::house::{House, agent, id, scope};

fn listed(house: &House, state: &InvocationState) -> Vec<Record> {
    let all = Listing::of(agent().as_str(), BodyType::AgentToolInvocation, 10);
    let listing = Listing { subtype: Some(state.as_str().to_owned()), ..all };
    wait(house.store().records(Domain::Agent, listing)).unwrap()
}

#[test]
fn an_action_says_what_it_is_by_which_tool_under_which_name_with_what_and_in_which_scope() {
    let house = House::new();
    let change = house.set_title("ferns", "mist the ferns");
    let arguments = json!({ "task": "task_ferns", "category": "category_work" });
    let both = scope().into_iter().chain([id("category_work")]).collect();
    let shown = Call { scope: both, ..house.call("move_task", arguments) };
    let table = [
        (change.clone(), ActionType::ToolCall),
        (house.call("list_tasks", json!({})), ActionType::ToolCall),
        (Call { preview: true, ..shown }, ActionType::ProposePlan),
        (house.named("ask_operator", json!({})), ActionType::AskUser),
        (house.call("fly_to_the_moon", json!({})), ActionType::ToolCall),
    ];
    for (call, action) in table {
        let receipt = house.execute(call.clone());
        let kept = house.invocation(&receipt);
        assert_eq!(kept.action_type, action, "{}", call.tool);
        assert_eq!((&kept.tool, &kept.scope), (&call.tool, &call.scope));
        let words = rules::canonical::to_string(&call.arguments).unwrap();
        assert_eq!(kept.arguments.hash, rules::hash::bytes(words.as_bytes()));
        let changes = call.operation.filter(|_| !call.preview);
        assert_eq!(kept.operation, changes, "{}", call.tool);
    }
}

#[test]
fn a_result_names_its_status_what_it_changed_and_how_it_failed_and_is_found_by_that() {
    let house = House::new();
    let done = house.execute(house.set_title("ferns", "mist the ferns"));
    let failed = house.execute(house.set_title("nobody", "x"));
    let denied = house.execute(house.set_title("taxes", "x"));
    let table = [
        (&done, "success", None),
        (&failed, "error", Some(Code::UnknownTask)),
        (&denied, "error", Some(Code::OutOfScope)),
    ];
    for (receipt, status, code) in table {
        let kept = house.invocation(receipt);
        assert_eq!(kept.state.status(), Some(status));
        let error = kept.state.error();
        assert_eq!(error.map(|error| error.code.as_str()), code.map(Code::as_str));
        let message = receipt.result.as_ref().err().map(|failure| failure.message.as_str());
        assert_eq!(error.map(|error| error.message.as_str()), message);
        let found = listed(&house, &kept.state);
        assert_eq!(found.len(), 1, "{status}");
        assert_eq!(found[0].id.as_str(), receipt.tool_action_id.as_str());
    }
    let InvocationState::Done { changed, changed_tokens, .. } = house.invocation(&done).state
    else {
        panic!("it was done");
    };
    assert_eq!(changed[0].id.as_str(), "task_ferns");
    assert!(changed_tokens.iter().any(|token| token.key() == "semanticKey|-|TASK"));
}

/// How far a change has come: in the journal, and by its row.
type Phase = (bool, &'static str);

fn phase(store: &SqliteStore, call: &Call) -> Phase {
    let operation = call.operation.unwrap();
    let known = wait(store.operation(Domain::Journal, operation)).unwrap();
    let id = rules::operation::invocation_of_operation(&call.run, &operation);
    let row = wait(store.record(Domain::Agent, id.into())).unwrap();
    let state = row.map_or("none", |row| match row.body {
        Body::AgentToolInvocation(row) => row.state.as_str(),
        _ => panic!("{call:?} has another row"),
    });
    (known.is_some(), state)
}

#[test]
fn a_change_has_a_row_before_the_journal_knows_of_it_and_the_row_says_how_far_it_came() {
    let house = House::new();
    let call = house.set_title("ferns", "mist the ferns");
    assert_eq!(phase(house.store(), &call), (false, "none"));
    let seen = Arc::new(Mutex::new(Vec::new()));
    for step in ["tool.effect", "tool.record"] {
        let call = house.set_title("ferns", step);
        let (same, into) = (call.clone(), Arc::clone(&seen));
        house.door.meanwhile(step, move |store| into.lock().unwrap().push(phase(store, &same)));
        house.execute(call.clone());
        assert_eq!(phase(house.store(), &call), (true, "done"));
    }
    assert_eq!(*seen.lock().unwrap(), [(false, "intended"), (true, "intended")]);

    // What the journal refuses keeps its last error.
    let call = house.set_title("ferns", &"x".repeat(limits::TITLE_BYTES_MAX + 1));
    let receipt = house.execute(call.clone());
    let row = house.invocation(&receipt);
    let named = (row.operation, &row.agent_id, row.run_key, row.tool.as_str());
    assert_eq!(named, (call.operation, &agent(), call.run, "set_title"));
    assert_eq!(phase(house.store(), &call), (false, "failed"));
    assert_eq!(row.state.error().unwrap().code, "invalid_record");
    let record = wait(house.store().record(Domain::Agent, (&receipt.tool_action_id).into()));
    let record = record.unwrap().unwrap();
    assert!(record.created_at <= record.updated_at && record.revision == 2);
}
