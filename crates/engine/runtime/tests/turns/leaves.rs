//! What a turn leaves: in the files, in the next prompt, and in memory.

use runtime::{Chunk, ChunkId, Delivery, Happened};
use serde_json::json;
use store::wait;
use testkit::model::{Line, asks, fails, says};
use types::{
    Author, BlockKind, Body, Code, DialogAct, Domain, InvocationState, MessageKind,
    ModelFailureKind, Record, TurnState, limits,
};

use crate::house::House;

#[test]
fn what_was_said_in_an_earlier_wake_is_kept_and_not_said_again_but_report_and_notes_are() {
    let report = json!({ "content": "A lion sleeps.", "claims": [] });
    let note = json!({ "notes": ["A giraffe drinks."] });
    let house = House::new(vec![
        asks(&[("r", "update_report", report), ("n", "record_observations", note)]),
        says("A zebra looked."),
        says("Second look."),
    ]);
    house.drain();
    let first = house.runs().remove(0).draft.run_key;
    let item = house.item_id("find the can");
    house.does("update_checklist_items", json!({ "items": [{ "id": item, "checked": true }] }));
    house.drain();
    let asked = house.model.asked();
    let (prompt, said) = (&asked[2].prompt, &asked[2].said);
    let words: String = prompt.iter().map(|block| block.text.as_str()).collect();
    assert!(words.contains("A lion sleeps.") && words.contains("A giraffe drinks."), "{words}");
    assert!(!words.contains("zebra"), "{words}");
    assert!(said.is_empty() && house.block(2, BlockKind::History).is_none());
    let kept = house.kinds(&first);
    let thoughts = kept.iter().filter(|kind| **kind == MessageKind::Thought).count();
    assert_eq!((thoughts, house.calls().len()), (2, 2), "the audit has all of it: {kept:?}");
}

#[test]
fn what_a_model_calls_a_note_in_its_last_words_is_the_brief_and_no_note() {
    let house = House::new(vec![says("Note: a giraffe drinks."), says("Second look.")]);
    house.drain();
    let run = house.runs().remove(0).draft.run_key;
    assert_eq!(house.brief(&run), "Note: a giraffe drinks.");
    assert_eq!(house.kinds(&run), [MessageKind::Thought]);
    house.prompt("what do you know?", "r1");
    house.drain();
    assert_eq!(house.block(1, BlockKind::Observations), None);
}

#[test]
fn what_cannot_be_stored_is_told_while_somebody_can_do_better() {
    let empty = json!({ "content": "All is well.", "claims": [{ "text": " ", "inferred": true }] });
    let house = House::new(vec![
        asks(&[("r", "update_report", empty)]),
        says("I could not write that down."),
    ]);
    house.drain();
    let run = house.runs().remove(0).draft.run_key;
    assert_eq!(house.end(&run), ("completed", None));
    assert_eq!(house.model.asked().len(), 2);
    let told = format!("{:?}", house.model.asked()[1].said);
    assert!(told.contains("invalid_record"), "{told}");
}

#[test]
fn an_agent_writes_only_the_reports_that_its_template_lists() {
    let report = json!({ "content": "All is well.", "scope": "monthly", "claims": [] });
    let house = House::new(vec![asks(&[("r", "update_report", report)]), says("Then I will not.")]);
    house.drain();
    let run = house.runs().remove(0).draft.run_key;
    assert_eq!(house.end(&run), ("completed", None));
    let told = format!("{:?}", house.model.asked()[1].said);
    assert!(told.contains("bad_arguments") && told.contains("you keep no monthly"), "{told}");
}

#[test]
fn calls_that_change_thousands_of_records_are_written_down_in_parts_and_the_turn_goes_on() {
    let house = House::set_up(vec![says("First look.")], |setup| setup.tool_output_tokens = 500);
    house.drain();
    let many = |name: &str| {
        let items: Vec<String> = (0..1_000).map(|n| format!("{name} {n}")).collect();
        json!({ "taskId": house.task, "title": name, "items": items })
    };
    let add = "create_checklist";
    house.model.then(asks(&[("a", add, many("fern")), ("b", add, many("moss"))]));
    house.model.then(says("All are there."));
    let run = house.prompt("add all of them", "r1");
    house.drain();
    assert_eq!(house.end(&run), ("completed", None));
    assert_eq!((house.brief(&run).as_str(), house.model.asked().len()), ("All are there.", 3));
    let done = house.calls().into_iter().map(|call| match call.state {
        InvocationState::Done { changed, .. } => changed.len(),
        other => panic!("{other:?}"),
    });
    assert!(done.sum::<usize>() > 2_000, "each is linked with its call");
}

#[test]
fn every_call_of_every_run_leaves_its_action_with_its_result() {
    let house = House::new(vec![]);
    let three = |item: &str| {
        asks(&[
            ("a", "add_multiple_checklist_items", house.item(item)),
            ("b", "fly_to_the_moon", json!({})),
            ("c", "update_report", json!({ "content": 7 })),
        ])
    };
    house.model.then(three("milk"));
    house.model.then(says("Looked."));
    house.drain();
    house.model.then(three("bread"));
    house.model.then(says("Added."));
    let interactive = house.prompt("add bread", "r1");
    house.drain();
    let calls = house.calls();
    assert_eq!(calls.len(), 6, "three in each: {calls:#?}");
    for call in &calls {
        let expected = match call.tool.as_str() {
            "add_multiple_checklist_items" => ("success", None),
            "fly_to_the_moon" => ("error", Some(Code::UnknownTool)),
            _ => ("error", Some(Code::BadArguments)),
        };
        let code = call.state.error().map(|error| error.code.parse().unwrap());
        assert_eq!((call.state.status(), code), (Some(expected.0), expected.1), "{call:?}");
        assert!(call.state.result().is_some());
    }
    let autonomous = calls.iter().filter(|call| call.run_key != interactive).count();
    assert_eq!(autonomous, 3);
}

#[test]
fn a_turn_that_is_over_leaves_nothing_in_memory_however_it_ended() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    for number in 0..20 {
        match number % 4 {
            0 => house.model.then(says("Fine.")),
            1 => house.model.then(fails(ModelFailureKind::Authentication)),
            2 => {
                let arguments = house.item(&format!("milk {number}"));
                house.model.then(asks(&[("a", "add_multiple_checklist_items", arguments)]));
                house.model.then(fails(ModelFailureKind::InvalidResponse));
            }
            _ => {
                let (waker, agent) = (house.runtime.waker.clone(), house.agent.clone());
                let cancel = move || wait(waker.run_cancel(&agent, None)).map(drop).unwrap();
                house.model.meanwhile(0, cancel);
            }
        }
        house.prompt("go on", &format!("r{number}"));
        house.drain();
    }
    assert!(house.model.asked().len() > 20);
    assert_eq!(house.model.still_listening(), 0);
}

#[test]
fn what_is_saved_at_the_end_of_a_turn_does_not_grow_with_its_agents_past() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    // How much the agent's own state is, how many events a turn leaves, and how many records of which size.
    let scanned = |after: u64| {
        wait(house.runtime.store.scan(Domain::Agent, after, limits::ROWS_PER_READ_MAX)).unwrap()
    };
    let mut last = 0;
    let mut turn = |number: u64| {
        let newest = || wait(house.runtime.store.events(house.agent.clone(), None, 1)).unwrap();
        let rows = || newest()[0].event_seq;
        let before = rows();
        last = scanned(last).last().map_or(last, |(n, _)| *n);
        house.model.then(says("Fine."));
        house.prompt("go on", &format!("r{number}"));
        house.drain();
        let new = scanned(last);
        let size = |record: &Record| record.body.encode().len();
        let written: usize = new.iter().map(|(_, record)| size(record)).sum();
        (serde_json::to_string(&house.state()).unwrap().len(), rows() - before, new.len(), written)
    };
    let turns: Vec<_> = (0..99).map(&mut turn).collect();
    let (early, late) = (turns[9], turns[98]);
    assert_eq!(late.1, early.1);
    // Only counters have a digit more.
    assert!(late.0 <= early.0 + 8, "{early:?} {late:?}");
    // Now and then a turn sums up what was said, so records are counted over several.
    let written = |turns: &[(usize, u64, usize, usize)]| {
        turns.iter().fold((0, 0), |(rows, bytes), turn| (rows + turn.2, bytes + turn.3))
    };
    let (early, late) = (written(&turns[20..50]), written(&turns[69..]));
    assert!(early.0 >= 30 * 4 && early.1 > 30 * 1_000, "{early:?}");
    assert!(late.0 <= early.0 + 1 && late.1 * 20 <= early.1 * 21, "{early:?} {late:?}");
}

#[test]
fn a_turn_says_what_was_asked_what_came_of_it_and_what_it_took() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let looked = house.runs().remove(0).draft.run_key;
    assert_eq!(house.turn(&looked).unwrap().dialog_act, None, "nobody spoke");
    let mut thinks = asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]).unwrap();
    thinks.reasoning = Some("Milk is wanted.".to_owned());
    house.model.then(Ok(thinks));
    house.model.then(says("I added it."));
    let run = house.prompt("add milk", "r1");
    house.drain();
    let turn = house.turn(&run).unwrap();
    assert_eq!((turn.dialog_act, turn.rounds), (Some(DialogAct::Request), 2));
    assert_eq!((turn.workflow.as_str(), turn.run_key), ("session", run));
    let TurnState::Settled { terminal, spent, .. } = turn.state else { panic!("it is over") };
    assert_eq!((spent.model_calls, spent.tokens.total_tokens), (2, 220));
    assert_eq!(house.brief(&run), "I added it.");
    // What it was made of lies under names that follow from its run.
    let rounds: Vec<types::Round> = (0..2).map(|round| house.round(&run, round)).collect();
    assert_eq!(rounds[0].reasoning.as_deref(), Some("Milk is wanted."));
    assert_eq!((rounds[0].calls.len(), rounds[1].text.as_str()), (1, "I added it."));
    assert_eq!(terminal.last_assistant_message, Some(rules::turn::round_id(&run, 1)));
    let call = &house.calls()[0];
    assert!(matches!(call.state, InvocationState::Done { .. }), "{call:?}");
}

/// Goes on with a session by one question.
fn question(house: &House, number: u32, line: Line) {
    house.model.then(line);
    house.prompt(&format!("question {number}"), &format!("r{number}"));
    house.drain();
}

#[test]
fn a_summary_stands_with_the_end_of_a_turn_and_never_covers_that_turn() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let due = (1..60).find(|number| {
        question(&house, *number, says("Yes."));
        house.state().latest_summary_message_id.is_some()
    });
    let due = due.expect("a long session is summarised");
    // The turn with whose end it was due fails: what it would have left is not there, nor the summary.
    let house = House::new(vec![says("First look.")]);
    house.drain();
    (1..due).for_each(|number| question(&house, number, says("Yes.")));
    question(&house, due, fails(ModelFailureKind::Authentication));
    assert_eq!(house.state().latest_summary_message_id, None);
    house.model.then(says("Yes."));
    let run = house.prompt("once more", "again");
    house.drain();
    let latest = house.state().latest_summary_message_id.expect("now it is due");
    let record = wait(house.runtime.store.record(Domain::Agent, latest.into())).unwrap().unwrap();
    let Body::AgentMessage(summary) = record.body else { panic!("it names a summary") };
    assert_eq!(summary.run_key, Some(run));
    let end = summary.summary.unwrap().end;
    let last = wait(house.runtime.store.record(Domain::Agent, end.into())).unwrap().unwrap();
    assert!(matches!(last.body, Body::AgentMessage(message) if message.run_key != Some(run)));
}

#[test]
fn pieces_of_an_answer_are_numbered_and_none_is_told_again_under_another_number() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let mut talks = asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]).unwrap();
    talks.text = "I add milk.".to_owned();
    house.model.then(Ok(talks));
    house.model.then(fails(ModelFailureKind::Timeout));
    house.model.then(says("It is there."));
    let run = house.prompt("add milk", "r1");
    let mut live = house.runtime.turns.live().follow(run, None);
    for _ in 0..3 {
        house.world.advance_ms(600_000);
        house.drain();
    }
    let chunks: Vec<Chunk> = std::iter::from_fn(|| live.try_next()).collect();
    assert!(chunks.iter().all(|chunk| chunk.run_key == run), "{chunks:?}");
    let names: Vec<ChunkId> = chunks.iter().map(|chunk| chunk.id).collect();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    let restarts = chunks.iter().filter(|chunk| chunk.happened == Happened::Restart);
    let restarts: Vec<(ChunkId, u32)> = restarts.map(|chunk| (chunk.id, chunk.round)).collect();
    let second = ChunkId { attempt: 1, n: 0 };
    assert_eq!(restarts, [(second, 1)], "the first round is on record");
    let asked = chunks.iter().filter(|chunk| matches!(chunk.happened, Happened::Asks { .. }));
    let answered =
        chunks.iter().filter(|chunk| matches!(chunk.happened, Happened::Answered { .. }));
    assert_eq!((asked.count(), answered.count()), (1, 1), "{chunks:?}");
    let words = |chunk: &Chunk| match &chunk.happened {
        Happened::Text(text) => Some(text.clone()),
        _ => None,
    };
    let text: String = chunks.iter().filter_map(words).collect();
    assert_eq!(text, "I add milk.It is there.", "what was recorded is not said again");
    let tool = chunks.iter().position(|chunk| matches!(chunk.happened, Happened::Answered { .. }));
    let last = chunks.iter().position(|chunk| words(chunk).as_deref() == Some("milk."));
    assert!(last < tool, "the tool is called when the answer is whole");
}

#[test]
fn a_call_carries_what_led_to_it_through_every_attempt() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(fails(ModelFailureKind::Timeout));
    house.model.then(asks(&[("b", "add_multiple_checklist_items", house.item("bread"))]));
    house.model.then(says("Done."));
    let correlation_id = Some("errand-7".to_owned());
    let words = Delivery {
        correlation_id,
        ..house.spoken("add milk and bread", "r1", types::Priority::Normal)
    };
    let run = wait(house.runtime.ingress.admit(words)).unwrap().run_key;
    for _ in 0..3 {
        house.world.advance_ms(600_000);
        house.drain();
    }
    let operations = wait(house.runtime.store.operations_of_run(Domain::Journal, run)).unwrap();
    let mut calls = house.calls();
    calls.sort_by_key(|call| call.trace.attempt);
    assert_eq!((calls.len(), operations.len()), (2, 2));
    for (round, call) in (0..).zip(&calls) {
        assert_eq!((call.run_key, call.tool.as_str()), (run, "add_multiple_checklist_items"));
        assert!(operations.iter().any(|done| Some(done.id) == call.operation));
        // The first was intended in the first attempt, and what came of it written with its failure.
        assert_eq!(call.trace.attempt, round);
        assert_eq!(call.trace.cause, Some(rules::turn::round_id(&run, round)));
        assert_eq!(call.trace.correlation.as_deref(), Some("errand-7"));
    }
    for done in operations {
        assert!(matches!(done.author, Author::Agent { run: by, .. } if by == run), "{done:?}");
    }
}
