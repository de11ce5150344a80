//! What must not happen twice, or differently, when a turn is taken up again; and what a turn is counted.

use model::Exchange;
use runtime::{Ask, Delivery};
use serde_json::json;
use store::wait;
use testkit::model::{Line, asks, fails, says};
use types::{
    BlockKind, BudgetLimits, Code, Domain, ModelFailureKind, Priority, RunEnd, RunState,
    TokenUsage, Verdict,
};

use crate::house::{House, words};
use crate::prompts::changed;

fn after_first_look(limits: BudgetLimits) -> House {
    let house = House::limited(vec![says("First look.")], limits);
    house.drain();
    house
}

fn costing(line: Line, tokens: u64) -> Line {
    line.map(|response| model::Response { usage: TokenUsage::of(tokens, 0), ..response })
}

fn patiently(house: &House) {
    for _ in 0..8 {
        house.world.advance_ms(600_000);
        house.drain();
    }
}

#[test]
fn a_call_that_failed_stays_failed_when_its_turn_is_taken_up_again() {
    let house = after_first_look(BudgetLimits::default());
    let can = house.item_id("find the can");
    let (verb, arguments) = ("remove_checklist_items".to_owned(), json!({ "itemIds": [can] }));
    let remove = Ask { verb, arguments, request: None, preview: false };
    let removed = wait(house.runtime.journal.perform(remove)).unwrap().operation.unwrap();
    house.drain();
    // The item is gone, so the model makes another one; then its server is away for a while.
    let check = json!({ "items": [{ "id": can, "checked": true }] });
    house.model.then(asks(&[("a", "update_checklist_items", check)]));
    house.model.then(asks(&[("b", "add_multiple_checklist_items", house.item("a new can"))]));
    house.model.then(fails(ModelFailureKind::Timeout));
    house.model.then(says("There is a new can."));
    let run = house.prompt("check the can off", "r1");
    house.drain();
    wait(house.runtime.journal.undo(&removed.to_string(), None)).unwrap();
    patiently(&house);
    assert_eq!(house.brief(&run), "There is a new can.");
    let operations = wait(house.runtime.store.operations_of_run(Domain::Journal, run)).unwrap();
    assert_eq!(operations.len(), 1, "what could not be done then is not done now");
    let asked = house.model.asked();
    let said: Vec<_> = asked.iter().map(|it| &it.said).filter(|said| said.len() == 4).collect();
    assert_eq!(said.len(), 2, "before its server was away, and after");
    assert_eq!(said[0], said[1], "what the model was told does not change behind its back");
}

#[test]
fn what_was_denied_is_audited_once_however_often_its_turn_is_taken_up() {
    for dies in [false, true] {
        let house = after_first_look(BudgetLimits::default());
        let category = wait(house.runtime.journal.category_find("home")).unwrap().id;
        let other = house.does("create_task", json!({ "title": "Rain", "categoryId": category }));
        let rename = json!({ "taskId": other["id"], "title": "Snow" });
        let add = ("a", "add_multiple_checklist_items", house.item("milk"));
        house.model.then(asks(&[add, ("b", "set_task_title", rename)]));
        if !dies {
            house.model.then(fails(ModelFailureKind::Timeout));
        }
        let run = house.prompt("add milk, and call the other one Snow", "r1");
        let house = if dies { house.dies(1) } else { house };
        house.model.then(says("Milk is there."));
        patiently(&house);
        assert_eq!(house.brief(&run), "Milk is there.");
        let entries = house.audited();
        let of = |wanted: &str| entries.iter().filter(|(action, ..)| action == wanted).count();
        assert_eq!((of("tool.deny"), of("tool.allow"), of("tool.done")), (1, 1, 1), "{entries:?}");
    }
}

#[test]
fn what_was_asked_for_twice_in_one_answer_is_told_as_it_was_when_a_turn_is_taken_up_again() {
    let reads = changed("\"set_task_title\"", "\"list_tasks_in_scope\"");
    let house = House::set_up(vec![says("First look.")], |setup| setup.templates = reads);
    house.drain();
    // Five is five, however it is written.
    let read = |id, limit| (id, "list_tasks_in_scope", json!({ "limit": limit }));
    house.model.then(asks(&[read("a", json!(5)), read("b", json!(5.0))]));
    house.model.then(asks(&[("c", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(fails(ModelFailureKind::Timeout));
    house.model.then(says("Milk is there."));
    let run = house.prompt("look, and add milk", "r1");
    house.drain();
    house.does("set_task_title", json!({ "taskId": house.task, "title": "Something else" }));
    patiently(&house);
    assert_eq!(house.brief(&run), "Milk is there.");
    let asked = house.model.asked();
    let said: Vec<_> = asked.iter().map(|it| &it.said).filter(|said| said.len() == 5).collect();
    assert_eq!(said.len(), 2, "before its server was away, and after");
    assert_eq!(said[0], said[1], "what the model was told does not change behind its back");
    assert!(matches!(&said[0][2], Exchange::Answered { text, .. } if text.contains("repeated")));
    let replayed = wait(house.runtime.replay(house.agent.as_str(), Some(run))).unwrap();
    let second = replayed.steps.iter().find(|one| one.step == "call 1.2: list_tasks_in_scope");
    assert_eq!(second.unwrap().detail, "the same as call 1.1");
    assert_ne!(replayed.verdict(), Verdict::Differs, "{:?}", replayed.steps);
}

#[test]
fn what_an_earlier_attempt_spent_counts_once() {
    let house = after_first_look(BudgetLimits { tokens: Some(60_000), ..Default::default() });
    let add = asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]);
    house.model.then(costing(add, 30_000));
    house.model.then(fails(ModelFailureKind::Timeout));
    house.model.then(says("Milk is there."));
    let run = house.prompt("add milk", "r1");
    patiently(&house);
    assert_eq!(house.brief(&run), "Milk is there.");
    assert_eq!(house.account().spent.tokens, 110 + 30_000 + 110);
}

#[test]
fn calls_of_tools_are_counted_once_and_time_between_attempts_is_not() {
    let house = after_first_look(BudgetLimits::default());
    let before = house.account().spent;
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(asks(&[("b", "add_multiple_checklist_items", house.item("bread"))]));
    house.model.then(fails(ModelFailureKind::Timeout));
    house.model.then(says("Both are there."));
    house.prompt("add milk and bread", "r1");
    house.drain();
    house.world.advance_ms(3_600_000);
    house.drain();
    let spent = house.account().spent.less(before);
    assert!(spent.tool_calls <= 3, "{spent:?}");
    assert!(spent.runtime_ms < 60_000, "{spent:?}");
}

#[test]
fn an_attempt_that_came_to_nothing_is_paid_for() {
    let house = after_first_look(BudgetLimits::default());
    let before = house.account().spent.tokens;
    let mut failure = fails(ModelFailureKind::InvalidResponse).unwrap_err();
    failure.timeline.aggregated_token_usage = Some(TokenUsage::of(500, 20));
    house.model.then(Err(failure));
    house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(house.account().spent.tokens - before, 520);
}

#[test]
fn calls_of_two_answers_may_have_the_same_id() {
    let house = after_first_look(BudgetLimits::default());
    house.model.then(asks(&[("0", "fly_to_the_moon", json!({}))]));
    house.model.then(asks(&[("0", "walk_there", json!({}))]));
    house.model.then(says("I cannot."));
    house.prompt("go to the moon", "r1");
    house.drain();
    assert_eq!(house.calls().len(), 2);
}

#[test]
fn an_answer_that_nobody_could_keep_is_a_failure_and_not_a_loop() {
    let house = after_first_look(BudgetLimits::default());
    house.model.then(says(&"\u{1}".repeat(1024 * 1024)));
    let run = house.prompt("say a lot", "r1");
    house.drain();
    let ended = wait(house.runtime.store.run(run)).unwrap().unwrap().state;
    let RunState::Ended { end: RunEnd::Failed(failure), .. } = ended else { panic!("{ended:?}") };
    assert_eq!(failure.code, Code::InvalidResponse);
}

#[test]
fn a_provider_cannot_put_a_turn_off_for_ever() {
    let house = after_first_look(BudgetLimits::default());
    let failure = fails(ModelFailureKind::RateLimited).unwrap_err();
    house.model.then(Err(model::Failure { retry_after_ms: Some(u64::MAX), ..failure }));
    house.model.then(says("Here I am again."));
    let run = house.prompt("are you there?", "r1");
    house.drain();
    house.world.advance_ms(25 * 3_600_000);
    house.drain();
    assert_eq!(house.brief(&run), "Here I am again.");
}

#[test]
fn words_for_tomorrow_are_not_thrown_into_a_turn_of_today() {
    let house = after_first_look(BudgetLimits::default());
    let (ingress, agent) = (house.runtime.ingress.clone(), house.agent.clone());
    let tomorrow = house.now().plus_millis(24 * 3_600_000);
    let throw_in = move || {
        for (text, deliver_at) in [("today", None), ("tomorrow", Some(tomorrow))] {
            let delivery = words(&agent, text, text);
            let delivery = Delivery { priority: Priority::Interject, deliver_at, ..delivery };
            wait(ingress.admit(delivery)).unwrap();
        }
    };
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(says("Milk is there."));
    house.model.meanwhile(0, throw_in);
    house.prompt("add milk", "r1");
    house.drain();
    let heard = format!("{:?}", house.model.asked().last().unwrap().said);
    assert!(heard.contains("today") && !heard.contains("tomorrow"), "{heard}");
}

#[test]
fn what_belongs_to_another_session_or_another_model_is_not_thrown_into_a_turn() {
    let house = after_first_look(BudgetLimits::default());
    let say = |text: &str, name: &str| words(&house.agent, text, name);
    let in_session = |delivery: Delivery| Delivery { session: Some("q".to_owned()), ..delivery };
    let with_chosen =
        |delivery: Delivery| Delivery { model: Some(types::ModelRef::scribe()), ..delivery };
    let key = |name: &str| Delivery { priority: Priority::Interject, ..say("the blue key", name) };
    let cases = [
        (say("add milk", "1"), key("2"), true),
        (in_session(say("add milk", "3")), in_session(key("4")), true),
        (say("add milk", "5"), in_session(key("6")), false),
        (with_chosen(say("add milk", "7")), key("8"), false),
        (say("add milk", "9"), with_chosen(key("10")), false),
    ];
    for (prompt, thrown_in, is_taken_up) in cases {
        let (ingress, told) = (house.runtime.ingress.clone(), thrown_in.clone());
        house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
        house.model.then(says("Milk is there."));
        if !is_taken_up {
            house.model.then(says("I have heard it."));
        }
        house.model.meanwhile(0, move || drop(wait(ingress.admit(told)).unwrap()));
        let before = house.model.asked().len();
        wait(house.runtime.ingress.admit(prompt)).unwrap();
        house.drain();
        let asked = house.model.asked().split_off(before);
        let second = format!("{:?}", asked[1].said);
        assert_eq!(second.contains("the blue key"), is_taken_up, "{thrown_in:?}: {second}");
        assert_eq!(asked.len(), if is_taken_up { 2 } else { 3 }, "{thrown_in:?}");
    }
}

#[test]
fn a_task_of_another_category_is_not_told_to_the_model() {
    let house = after_first_look(BudgetLimits::default());
    let category = wait(house.runtime.journal.category_find("work")).unwrap().id;
    let titled = |title: &str| json!({ "title": title, "categoryId": category });
    let other = house.does("create_task", titled("Quarterly figures"))["id"].clone();
    let relate = json!({ "fromTaskId": house.task, "relation": "blocks", "toTaskId": other });
    house.does("relate_tasks", relate);
    house.prompt("how do things stand?", "r1");
    house.drain();
    let asked = house.model.asked();
    let prompt = format!("{:?}", asked.last().unwrap().prompt);
    assert!(prompt.contains("how do things stand?"), "{prompt}");
    assert!(!prompt.contains("Quarterly figures"), "{prompt}");
}

#[test]
fn a_task_that_was_moved_out_of_the_agents_categories_is_told_to_nobody() {
    let house = after_first_look(BudgetLimits::default());
    let shown = |house: &House| format!("{:?}", house.model.asked().last().unwrap().prompt);
    assert!(shown(&house).contains("find the can"), "{}", shown(&house));
    let category = wait(house.runtime.journal.category_find("work")).unwrap().id;
    house.does("update_task_fields", json!({ "taskId": house.task, "categoryId": category }));
    let asked = house.model.asked().len();
    house.drain();
    assert_eq!(house.model.asked().len(), asked, "there is nothing to ask about");
    assert_eq!(house.account().reserved.tokens, 0);
    let looked = house.runs()[0].draft.run_key;
    let told = wait(house.runtime.waker.told(looked)).unwrap();
    assert_eq!(told.text, "there was nothing to do (task_out_of_sight)");
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(says("I may not."));
    let run = house.prompt("how do things stand?", "r1");
    house.drain();
    let prompt = shown(&house);
    assert!(
        prompt.contains("how do things stand?") && !prompt.contains("find the can"),
        "{prompt}"
    );
    assert_eq!((house.end(&run), house.brief(&run).as_str()), (("completed", None), "I may not."));
    assert_eq!(house.items(), ["fill it", "find the can"], "nothing was changed there");
}

#[test]
fn what_was_written_and_said_about_a_task_that_was_moved_away_is_not_told_either() {
    let house = House::reported("A can is missing.");
    house.model.then(says("The can is blue."));
    house.prompt("which colour has the can?", "r1");
    house.drain();
    let shown = |house: &House| format!("{:?}", house.model.asked().last().unwrap().prompt);
    assert!(shown(&house).contains("A can is missing."), "{}", shown(&house));
    let category = wait(house.runtime.journal.category_find("work")).unwrap().id;
    house.does("update_task_fields", json!({ "taskId": house.task, "categoryId": category }));
    house.model.then(says("I do not know."));
    let run = house.prompt("and now?", "r2");
    house.drain();
    assert_eq!(house.brief(&run), "I do not know.");
    let prompt = shown(&house);
    assert!(prompt.contains("and now?") && !prompt.contains(" can"), "{prompt}");
}

#[test]
fn a_prompt_that_was_recorded_before_its_task_was_moved_away_is_not_sent_again() {
    let house = after_first_look(BudgetLimits::default());
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(fails(ModelFailureKind::Timeout));
    let run = house.prompt("add milk", "r1");
    house.drain();
    let asked = house.model.asked().len();
    assert!(house.items().contains(&"milk".to_owned()), "it has acted once");
    let category = wait(house.runtime.journal.category_find("work")).unwrap().id;
    house.does("update_task_fields", json!({ "taskId": house.task, "categoryId": category }));
    patiently(&house);
    assert_eq!(house.model.asked().len(), asked, "nothing more is told to the model");
    assert_eq!(house.end(&run), ("failed", Some(Code::OutOfScope)));
    let brief = house.brief(&run);
    assert!(brief.contains("moved to a category") && brief.contains("stays done"), "{brief}");
    assert_eq!(house.items().iter().filter(|item| *item == "milk").count(), 1);
}

#[test]
fn a_turn_that_was_never_told_of_its_task_is_taken_up_again_all_the_same() {
    let house = after_first_look(BudgetLimits::default());
    let category = wait(house.runtime.journal.category_find("work")).unwrap().id;
    house.does("update_task_fields", json!({ "taskId": house.task, "categoryId": category }));
    house.drain();
    house.model.then(asks(&[("a", "record_observations", json!({ "notes": ["It is away."] }))]));
    house.model.then(fails(ModelFailureKind::Timeout));
    house.model.then(says("It is away."));
    let run = house.prompt("where is it?", "r1");
    house.drain();
    patiently(&house);
    assert_eq!((house.end(&run), house.brief(&run).as_str()), (("completed", None), "It is away."));
}

#[test]
fn what_changes_between_two_attempts_of_a_turn_is_for_the_next_look() {
    let house = House::reported("A can is missing.");
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(fails(ModelFailureKind::Timeout));
    let run = house.prompt("add milk", "r1");
    house.drain();
    // The turn goes on with the prompt that it had, which knows nothing of the moss.
    house.does("add_multiple_checklist_items", house.item("moss"));
    house.model.then(says("Milk is there."));
    house.model.then(says("And moss, I see."));
    patiently(&house);
    assert_eq!(house.brief(&run), "Milk is there.");
    let asked = house.model.asked();
    let told = |kind: BlockKind| asked.last().unwrap().prompt.iter().find(|it| it.kind == kind);
    let delta = told(BlockKind::Delta).map(|block| block.text.clone()).unwrap_or_default();
    assert!(delta.contains(&house.item_id("moss")), "{delta}");
    assert!(!delta.contains(&house.item_id("milk")), "its own doing is no news: {delta}");
    patiently(&house);
    assert_eq!(house.model.asked().len(), asked.len(), "once");
}

#[test]
fn what_changed_in_a_task_that_was_moved_away_is_not_told_either() {
    let house = House::reported("A can is missing.");
    let delta = |house: &House| house.block(house.model.asked().len() - 1, BlockKind::Delta);
    house.does("add_multiple_checklist_items", house.item("milk"));
    house.model.then(says("I see."));
    house.prompt("what is new?", "r1");
    house.drain();
    assert!(delta(&house).is_some(), "what changes is told");
    let category = wait(house.runtime.journal.category_find("work")).unwrap().id;
    house.does("add_multiple_checklist_items", house.item("bread"));
    house.does("update_task_fields", json!({ "taskId": house.task, "categoryId": category }));
    house.model.then(says("I do not know."));
    let run = house.prompt("and now?", "r2");
    house.drain();
    assert_eq!(house.brief(&run), "I do not know.");
    assert_eq!(delta(&house), None);
    let prompt = format!("{:?}", house.model.asked().last().unwrap().prompt);
    assert!(!prompt.contains(&house.item_id("bread")), "{prompt}");
}
