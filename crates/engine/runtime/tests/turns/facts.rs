//! What is news to an agent though no field of its task has changed.

use runtime::{CreateSchedule, Setup};
use serde_json::json;
use store::wait;
use testkit::model::{asks, fails, says};
use types::{
    BlockKind, Code, ModelFailureKind, Recurrence, ReportScope, RunKey, ScheduleTrigger, Verdict,
};

use crate::house::House;
use crate::idle::every_six_hours;
use crate::prompts::changed;

impl House {
    /// Something that wakes the agent and does not matter to it: an item goes to the top of its list.
    fn stirs(&self, item: &str) {
        let to_top = json!({ "itemId": self.item_id(item), "toTop": true });
        self.does("reorder_checklist_items", to_top);
    }

    /// Why the newest run of the agent took a turn, or did not.
    fn newest(&self) -> (RunKey, Option<String>) {
        let run = self.runs()[0].draft.run_key;
        let told = self.told("run_started").into_iter();
        let mut own = told.filter(|body| body["run_key"] == json!(run));
        (run, own.next().map(|body| body["why"].as_str().unwrap().to_owned()))
    }

    fn is_stale(&self) -> bool {
        let report = wait(self.runtime.memory.report(&self.agent, ReportScope::Current)).unwrap();
        report.unwrap().freshness.is_stale()
    }
}

#[test]
fn a_due_date_that_has_passed_is_news_once() {
    let house = House::reported("All is well.");
    let today = rules::budget::day(house.now(), "UTC").to_string();
    house.model.then(says("It is due today."));
    house.does("update_task_due_date", json!({ "taskId": house.task, "dueDate": today }));
    house.drain();
    house.stirs("fill it");
    house.drain();
    assert_eq!(house.newest().1, None, "it is not late yet");
    house.world.advance_ms(24 * 3_600_000);
    house.model.then(says("It is late."));
    house.stirs("find the can");
    house.drain();
    let (run, why) = house.newest();
    assert_eq!((house.brief(&run).as_str(), why.as_deref()), ("It is late.", Some("due_passed")));
    house.stirs("fill it");
    house.drain();
    assert_eq!(house.newest().1, None, "it has heard of it");
}

#[test]
fn a_due_date_that_has_passed_is_news_until_a_turn_has_come_to_its_end() {
    let house = House::reported("All is well.");
    let today = rules::budget::day(house.now(), "UTC").to_string();
    house.model.then(says("It is due today."));
    house.does("update_task_due_date", json!({ "taskId": house.task, "dueDate": today }));
    house.drain();
    house.world.advance_ms(24 * 3_600_000);
    house.model.then(fails(ModelFailureKind::Authentication));
    house.stirs("fill it");
    house.drain();
    let failed = house.runs()[1].draft.run_key;
    assert_eq!(house.end(&failed), ("failed", Some(Code::ProviderRefused)), "and looks again");
    house.model.then(says("It is late."));
    house.world.advance_ms(3_600_000);
    house.drain();
    let (run, why) = house.newest();
    assert_eq!((house.brief(&run).as_str(), why.as_deref()), ("It is late.", Some("due_passed")));
    house.stirs("find the can");
    house.drain();
    assert_eq!(house.newest().1, None, "now it has heard of it");
}

#[test]
fn an_alarm_that_met_words_on_their_way_rings_though_they_came_to_nothing() {
    let house = House::reported("All is well.");
    let in_five_seconds =
        Recurrence { label: "an alarm".to_owned(), cron: None, interval_seconds: Some(5) };
    let alarm = CreateSchedule {
        recurrence: in_five_seconds,
        trigger: ScheduleTrigger::Interval,
        one_shot: true,
        always: true,
        ..every_six_hours(&house.agent)
    };
    wait(house.runtime.waker.schedule_create(alarm)).unwrap();
    house.model.then(fails(ModelFailureKind::Authentication));
    house.model.then(says("It rings."));
    let words = house.prompt("what is open?", "r1");
    house.drain();
    assert_eq!(house.end(&words), ("failed", Some(Code::ProviderRefused)));
    house.world.advance_ms(3_600_000);
    house.drain();
    let (run, why) = house.newest();
    assert_eq!((house.brief(&run).as_str(), why.as_deref()), ("It rings.", Some("always")));
}

#[test]
fn a_relation_between_tasks_is_news_to_both_and_told() {
    let house = House::reported("All is well.");
    let category = wait(house.runtime.journal.category_find("home")).unwrap().id;
    let other = house.does("create_task", json!({ "title": "Rain", "categoryId": category }));
    let relate = json!({ "fromTaskId": other["id"], "relation": "blocks", "toTaskId": house.task });
    let asked = house.model.asked().len();
    house.model.then(says("Rain comes first."));
    house.does("relate_tasks", relate);
    house.drain();
    let (run, why) = house.newest();
    assert_eq!(house.brief(&run), "Rain comes first.");
    assert_eq!(why.as_deref(), Some("relation_changed"));
    let told = house.block(asked, BlockKind::Delta).unwrap();
    assert!(told.contains("\"fields\":[\"relations\"]") && told.contains(&house.task), "{told}");
    let steps = wait(house.runtime.replay(house.agent.as_str(), Some(run))).unwrap().steps;
    let delta = steps.iter().find(|step| step.step == "prompt: delta").unwrap();
    assert_eq!(delta.verdict, Verdict::Verified, "{steps:?}");
}

#[test]
fn a_report_is_fresh_until_something_changes_that_matters_and_then_until_it_is_written_anew() {
    let house = House::reported("All is well.");
    assert!(!house.is_stale());
    house.stirs("fill it");
    assert!(!house.is_stale(), "that does not matter to it");
    house.drain();
    assert!(!house.is_stale());
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(says("Milk is there."));
    house.prompt("add milk", "r1");
    house.drain();
    assert!(!house.is_stale(), "what it did itself it knows");
    let item = house.item_id("fill it");
    house.does("update_checklist_items", json!({ "items": [{ "id": item, "checked": true }] }));
    assert!(house.is_stale(), "nobody has looked yet");
    house.model.then(says("One item is done."));
    house.drain();
    assert!(house.is_stale(), "its agent has looked, and its report says what was before");
    let report = json!({ "content": "One item is done.", "claims": [] });
    house.model.then(asks(&[("r", "update_report", report)]));
    house.model.then(says("I have said so."));
    house.prompt("say so", "r2");
    house.drain();
    assert!(!house.is_stale());
}

#[test]
fn who_keeps_no_current_report_has_a_first_wake_once_and_sees_what_changed() {
    let weekly = |setup: &mut Setup| {
        setup.templates = changed("report_scopes = [\"current\"]", "report_scopes = [\"weekly\"]");
    };
    let none = |setup: &mut Setup| setup.templates = changed("    \"update_report\",\n", "");
    let report = json!({ "content": "A week of ferns.", "claims": [], "scope": "weekly" });
    let house = House::set_up(
        vec![asks(&[("r", "update_report", report)]), says("First look."), says("Later look.")],
        weekly,
    );
    let first = |house: &House, asked| house.block(asked, BlockKind::Wake).unwrap();
    house.drain();
    assert!(first(&house, 0).contains("\"first\":true"));
    let item = house.item_id("fill it");
    house.does("update_checklist_items", json!({ "items": [{ "id": item, "checked": true }] }));
    house.drain();
    assert!(first(&house, 2).contains("\"first\":false"), "{}", first(&house, 2));
    assert!(house.block(2, BlockKind::Delta).unwrap().contains("fill it"));
    assert!(house.block(2, BlockKind::Report).unwrap().contains("A week of ferns."));
    let house = House::set_up(vec![says("First look.")], none);
    house.drain();
    assert!(first(&house, 0).contains("\"first\":false"), "there is no report to ask for");
}
