//! What an agent does with its wakes.

use std::sync::Arc;

use serde_json::json;
use store::wait;
use testkit::model::{asks, says};
use types::{
    BlockKind, Body, BodyType, ClosureOutcome, Code, Domain, MessageKind, MessageMetadata,
    Priority, RunEnd, RunState, TurnKind, TurnState,
};

use crate::house::House;

#[test]
fn a_new_agent_takes_one_turn_and_a_change_of_its_task_one_more() {
    let report = json!({ "content": "Two items are open.", "claims": [] });
    let house = House::new(vec![
        asks(&[("r", "update_report", report)]),
        says("First look."),
        says("One item is done."),
    ]);
    assert_eq!(house.drain(), 1);
    assert_eq!(house.drain(), 0, "nothing changed");
    let item = house.item_id("find the can");
    house.does("update_checklist_items", json!({ "items": [{ "id": item, "checked": true }] }));
    assert_eq!(house.drain(), 1);
    let category = wait(house.runtime.journal.category_find("home")).unwrap().id;
    house.does("create_task", json!({ "title": "Unrelated", "categoryId": category }));
    assert_eq!(house.drain(), 0, "somebody else's task is nobody's business here");
    let runs = house.runs();
    assert_eq!(runs.len(), 2, "{runs:#?}");
    assert_eq!(house.brief(&runs[1].draft.run_key), "First look.");
    assert_eq!(house.brief(&runs[0].draft.run_key), "One item is done.");
    assert_eq!((runs[0].usage.model_calls, runs[0].usage.tokens_in), (1, 100));
    let delta = house.block(2, BlockKind::Delta).expect("something changed");
    assert!(delta.contains("find the can") && delta.contains("checked"), "{delta}");
    assert!(house.block(0, BlockKind::Delta).is_none(), "nothing changed before the first look");
}

#[test]
fn a_turn_is_told_the_time_by_the_clock_where_the_person_is() {
    let house = House::new(vec![says("First look.")]);
    house.world.move_to("Pacific/Pago_Pago");
    house.drain();
    let wake = house.block(0, BlockKind::Wake).unwrap();
    let now = rules::day::local(house.now(), "Pacific/Pago_Pago");
    assert!(wake.contains(&format!("\"now\":\"{now}\"")) && now.ends_with("-11:00"), "{wake}");
}

#[test]
fn a_turn_leaves_its_record_its_messages_and_what_it_cost() {
    let house = House::new(vec![says("First look.")]);
    let world = Arc::clone(&house.world);
    house.model.meanwhile(0, move || world.advance_ms(1_500));
    house.drain();
    let run = house.runs().remove(0);
    let turn = house.turn(&run.draft.run_key).unwrap();
    assert_eq!((turn.workflow.as_str(), turn.version, turn.rounds), ("turn", 1, 1));
    let tools = house.prompt_of(&turn).tools;
    assert_eq!(tools.first().map(String::as_str), Some("update_report"));
    assert!(tools.len() <= 12);
    let TurnState::Settled { terminal, closure, spent, failure, .. } = turn.state else {
        panic!("it is not over");
    };
    assert_eq!((terminal.kind, terminal.turn_index), (TurnKind::Completed, 1));
    assert_eq!((terminal.completed_at, terminal.duration_ms), (house.now(), 1_500));
    assert_eq!(closure.outcome, ClosureOutcome::Completed);
    assert_eq!((spent.model_calls, spent.cost_micros), (1, 120));
    assert_eq!(house.account().spent.runtime_ms, 1_500);
    assert_eq!(failure, None);
    let said = rules::turn::round_id(&run.draft.run_key, 0).into();
    let said = wait(house.runtime.store.record(Domain::Agent, said)).unwrap().unwrap();
    let Body::AgentMessage(said) = said.body else { panic!("{said:?}") };
    let MessageMetadata { prompt_id, prompt_version, model_id, .. } = said.metadata;
    assert_eq!((prompt_id.as_deref(), prompt_version), (Some("task_agent"), Some(1)));
    assert_eq!(model_id.as_deref(), Some("builtin/scribe"));
    let state = house.state();
    assert_eq!(state.recent_head_message_id, terminal.last_assistant_message);
    assert_eq!((state.wake_counter, state.consecutive_failure_count), (1, 0));
    let day = rules::budget::day(types::At::from_millis(0).max(house.now()), "UTC");
    let account = wait(house.runtime.store.account(house.agent.clone(), day)).unwrap();
    assert_eq!((account.spent.tokens, account.spent.cost_micros), (110, 120));
    assert_eq!(account.reserved, types::Amounts::default(), "nothing stays set aside");
}

#[test]
fn a_prompt_is_answered_and_what_it_asks_for_is_done_once() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let add = house.item("buy milk");
    house.model.then(asks(&[("call-1", "add_multiple_checklist_items", add)]));
    house.model.then(says("I added it."));
    let run = house.prompt("add buy milk", "r1");
    assert_eq!(house.drain(), 1);
    assert_eq!(house.brief(&run), "I added it.");
    assert_eq!(house.items(), ["buy milk", "fill it", "find the can"]);
    let asked = house.model.asked();
    let last = asked.last().unwrap();
    assert_eq!(last.said.len(), 2, "what it said, and the tool's answer");
    let input = house.block(asked.len() - 1, BlockKind::Input).unwrap();
    assert!(input.contains("add buy milk") && input.contains("operator_instruction"));
    assert_eq!(house.drain(), 0, "its own change does not wake it");
    let kinds = house.kinds(&run);
    assert_eq!(kinds, [MessageKind::User, MessageKind::Thought, MessageKind::Thought]);
}

#[test]
fn what_was_said_before_in_the_session_is_there_again_and_bounded() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    for number in 0..40 {
        house.model.then(says(&format!("answer {number}")));
        house.prompt(&format!("question {number}"), &format!("r{number}"));
        house.drain();
    }
    let asked = house.model.asked();
    let history = house.block(asked.len() - 1, BlockKind::History).unwrap();
    assert!(history.contains("question 38"), "{history}");
    let latest = house.state().latest_summary_message_id.expect("the oldest were summarised");
    let record = wait(house.runtime.store.record(Domain::Agent, (&latest).into())).unwrap();
    let Some(Body::AgentMessage(summary)) = record.map(|record| record.body) else {
        panic!("the pointer names a summary");
    };
    let span = summary.summary.as_ref().unwrap();
    assert_eq!((summary.kind, span.content_hash), (MessageKind::Summary, summary.content.hash));
    for (end, relation) in
        [(&span.start, types::Relation::SummaryStart), (&span.end, types::Relation::SummaryEnd)]
    {
        let links = wait(house.runtime.store.links_from(Domain::Agent, (&latest).into(), relation));
        assert_eq!(links.unwrap()[0].to.as_str(), end.as_str());
    }
    let (early, late) = (house.prompt_bytes(20), house.prompt_bytes(asked.len() - 1));
    assert!(late < early * 2, "{early} then {late}");
}

#[test]
fn a_clock_that_goes_back_does_not_turn_a_conversation_round() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    for number in 0..3 {
        house.model.then(says(&format!("answer {number}")));
        house.prompt(&format!("question {number}"), &format!("r{number}"));
        house.drain();
        // Each is said two minutes before the one that it follows on.
        house.world.advance_ms(-120_000);
    }
    house.model.then(says("Done."));
    let last = house.prompt("and now?", "r9");
    house.drain();
    let history = house.block(house.model.asked().len() - 1, BlockKind::History).unwrap();
    let said = ["question 0", "answer 0", "question 1", "answer 1", "question 2", "answer 2"];
    let places: Vec<usize> = said.iter().map(|words| history.find(words).unwrap()).collect();
    assert!(places.is_sorted(), "{history}");
    let before =
        wait(house.runtime.store.record(Domain::Agent, rules::turn::said_id(&last).into()));
    let Some(Body::AgentMessage(words)) = before.unwrap().map(|record| record.body) else {
        panic!("the words are a message");
    };
    let previous = wait(house.runtime.store.record(Domain::Agent, words.previous.unwrap().into()));
    let Some(Body::AgentMessage(previous)) = previous.unwrap().map(|record| record.body) else {
        panic!("they follow on a message");
    };
    let content = wait(house.runtime.store.content(Domain::Agent, previous.content)).unwrap();
    let content = String::from_utf8(content.unwrap().bytes).unwrap();
    assert!(content.contains("answer 2"), "{content}");
}

#[test]
fn what_is_said_while_no_turn_is_under_way_has_a_turn_of_its_own() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let add = house.item("buy milk");
    house.model.then(asks(&[("call-1", "add_multiple_checklist_items", add)]));
    house.model.then(says("Milk is there; I left the rest."));
    let run = house.prompt("add buy milk", "r1");
    let thrown = house.say("and nothing else", "r2", Priority::Normal);
    let interjected = house.say("stop after that", "r3", Priority::Interject);
    // An interjection too: there is nothing that it could be thrown into.
    house.drain();
    let ended: Vec<_> = house.runs().into_iter().map(|run| run.state.as_str()).collect();
    assert!(ended.iter().all(|state| *state == "completed"), "{ended:?}");
    for key in [run, thrown, interjected] {
        assert!(house.turn(&key).is_some());
    }
}

#[test]
fn what_else_is_in_the_category_is_told_to_no_model() {
    let house = House::new(vec![says("First look.")]);
    let category = wait(house.runtime.journal.category_find("home")).unwrap().id;
    let other = json!({ "title": "Zanzibar by night", "categoryId": category });
    let other = house.does("create_task", other)["id"].clone();
    house.drain();
    house.does("set_task_title", json!({ "taskId": other, "title": "Zanzibar by day" }));
    let item = house.item_id("find the can");
    house.does("update_checklist_items", json!({ "items": [{ "id": item, "checked": true }] }));
    house.drain();
    house.prompt("what else is there?", "r1");
    house.drain();
    let asked = house.model.asked();
    assert_eq!(asked.len(), 3, "a first look, a change, a question");
    let told = format!("{asked:?}");
    assert!(told.contains("find the can") && !told.contains("Zanzibar"), "{told}");
}

#[test]
fn an_agent_whose_task_is_gone_rests_and_loses_nothing() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.does("remove_task", json!({ "taskId": house.task }));
    house.drain();
    let agent = wait(house.runtime.fleet.agent_get(house.agent.as_str())).unwrap();
    assert_eq!(agent.identity.lifecycle.as_str(), "dormant");
    assert_eq!(house.model.asked().len(), 1, "nobody is asked about nothing");
    let RunState::Ended { end: RunEnd::NothingToDo(receipt), .. } = house.runs().remove(0).state
    else {
        panic!("nothing says why it ended")
    };
    assert_eq!(receipt.rule, "task_missing");
    let listing = store::Listing::of(house.agent.as_str(), BodyType::AgentMessage, 10);
    let messages = wait(house.runtime.store.records(Domain::Agent, listing)).unwrap();
    assert!(messages.iter().all(|record| matches!(record.body, Body::AgentMessage(_))));
    assert!(!messages.is_empty());
}

#[test]
fn who_spoke_to_an_agent_whose_task_is_gone_is_told_so() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let run = house.prompt("how do things stand?", "r1");
    house.does("remove_task", json!({ "taskId": house.task }));
    house.drain();
    assert_eq!(house.end(&run), ("failed", Some(Code::UnknownTask)));
    let brief = house.brief(&run);
    assert!(brief.contains("the task it tends is gone"), "{brief}");
    let resume = format!("when it is back, `dormouse agent resume {}`", house.agent);
    assert!(brief.contains("I am dormant now") && brief.contains(&resume), "{brief}");
    let agent = wait(house.runtime.fleet.agent_get(house.agent.as_str())).unwrap();
    assert_eq!(agent.identity.lifecycle.as_str(), "dormant");
    assert_eq!(house.account().reserved.tokens, 0);
    assert_eq!(house.model.asked().len(), 1, "nobody is asked about nothing");
}
