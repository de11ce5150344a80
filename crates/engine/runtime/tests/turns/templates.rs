//! What a template itself bounds: calls of a tool, answers in a turn, and what a day may cost.

use serde_json::json;
use store::wait;
use testkit::model::{asks, says};
use types::{Code, RunKey};

use crate::house::House;
use crate::prompts::changed;

/// A house whose agent has a template with these lines in place of others, and has looked once.
fn templated(from: &str, to: &str) -> House {
    let templates = changed(from, to);
    let house = House::set_up(vec![says("First look.")], |setup| setup.templates = templates);
    house.drain();
    house
}

/// The same with another section.
fn with_section(section: &str) -> House {
    templated("[relevance]", &format!("{section}\n\n[relevance]"))
}

/// The model is asked to give the task a title, and asks for it; says what it was answered.
fn titled(house: &House, title: &str) -> (RunKey, String) {
    let arguments = json!({ "taskId": house.task, "title": title });
    house.model.then(asks(&[("t", "set_task_title", arguments)]));
    house.model.then(says("That is it."));
    let run = house.prompt("call it otherwise", title);
    house.drain();
    assert_eq!(house.brief(&run), "That is it.");
    (run, format!("{:?}", house.model.asked().pop().unwrap().said))
}

fn title(house: &House) -> String {
    wait(house.runtime.journal.task_get(&house.task)).unwrap().task.title
}

#[test]
fn a_tool_with_a_quota_is_called_so_often_a_day_and_again_on_the_next() {
    let house = with_section("[quotas.set_task_title]\nmax_per_day = 1");
    let (_, told) = titled(&house, "Mist");
    assert!(told.contains(r#"\"ok\":true"#), "{told}");
    let (_, told) = titled(&house, "Rain");
    assert!(told.contains("tool_quota_exceeded"), "{told}");
    assert_eq!(title(&house), "Mist");
    let denied = house.audited().into_iter().filter(|(action, ..)| action == "tool.deny");
    let denied: Vec<String> = denied.map(|(_, _, detail)| detail).collect();
    assert_eq!(denied, ["tool_quota_exceeded:set_task_title"]);
    house.world.advance_ms(86_400_000);
    titled(&house, "Snow");
    assert_eq!(title(&house), "Snow");
}

#[test]
fn a_turn_has_as_many_answers_as_its_template_says() {
    let house = templated("rounds_per_turn = 5", "rounds_per_turn = 2");
    for name in ["milk", "bread", "butter"] {
        house.model.then(asks(&[(name, "add_multiple_checklist_items", house.item(name))]));
    }
    let before = house.model.asked().len();
    let run = house.prompt("add a lot", "r1");
    house.drain();
    assert_eq!(house.end(&run), ("failed", Some(Code::TurnLimitReached)));
    assert_eq!(house.model.asked().len(), before + 2);
    assert_eq!(house.items(), ["bread", "fill it", "find the can", "milk"]);
}

#[test]
fn the_budget_of_a_template_holds_beside_that_of_the_home() {
    let house = with_section("[budget_per_day]\ntokens = 50");
    let run = house.runs().pop().unwrap().draft.run_key;
    assert_eq!(house.end(&run), ("failed", Some(Code::BudgetExceeded)));
    assert!(house.brief(&run).contains("tokens_per_day"), "{}", house.brief(&run));
    assert!(house.model.asked().is_empty());
}

#[test]
fn who_only_talks_looks_at_no_change_and_answers_when_it_is_spoken_to() {
    let templates = changed("mode = \"autonomous\"", "mode = \"interactive\"");
    let house = House::set_up(vec![], |setup| setup.templates = templates);
    house.drain();
    house.does("set_task_title", json!({ "taskId": house.task, "title": "Mist" }));
    house.drain();
    assert_eq!(house.model.asked().len(), 0, "neither at first nor later");
    let (_, told) = titled(&house, "Rain");
    assert!(told.contains(r#"\"ok\":true"#), "{told}");
    assert_eq!(title(&house), "Rain");
}
