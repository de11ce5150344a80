//! Logs whose oldest changes were let go.

use runtime::{Keep, Setup};
use serde_json::json;
use store::wait;
use testkit::model::{asks, says};
use types::{BlockKind, Domain, Position, Verdict, WakeReason};

use crate::house::House;

const DAY_MS: i64 = 24 * 3_600_000;

fn keeps_little(setup: &mut Setup) {
    setup.keep = Keep { days: 60, newest: 1 };
}

impl House {
    /// Where a log begins.
    fn first(&self, log: Domain) -> u64 {
        wait(self.runtime.store.changes(log, Position(0), 1)).unwrap()[0].position.0
    }

    /// Where it ends.
    fn head(&self, log: Domain) -> u64 {
        wait(self.runtime.store.head(log)).unwrap().0
    }

    /// Something happens that nobody listens for, so long after all before it.
    fn days_later(&self, days: i64) {
        self.world.advance_ms(days * DAY_MS);
        self.does("add_category", json!({ "name": format!("after {days} days") }));
        self.drain();
    }

    /// The newest run of the agent that was not merged into another.
    fn last_run(&self) -> types::RunKey {
        let own = self.runs().into_iter().find(|run| run.merged_into.is_none());
        own.unwrap().draft.run_key
    }
}

#[test]
fn what_is_older_than_is_kept_is_let_go_once_a_day_and_the_home_goes_on() {
    let house = House::set_up(vec![says("First look.")], keeps_little);
    house.drain();
    let head = house.head(Domain::Journal);
    house.days_later(59);
    assert_eq!((house.first(Domain::Journal), house.first(Domain::Agent)), (1, 1));
    house.days_later(2);
    assert_eq!(house.first(Domain::Journal), head + 1, "all that is sixty-one days old");
    assert_eq!(
        house.first(Domain::Agent),
        1,
        "how far it was looked through is written in a while"
    );
    for n in 0..120 {
        house.model.then(says("Yes."));
        house.prompt("well?", &format!("r{n}"));
        house.drain();
    }
    house.days_later(100);
    house.days_later(1);
    assert!(house.first(Domain::Agent) > 100);
    let report = json!({ "content": "Filled.", "claims": [] });
    house.model.then(asks(&[("r", "update_report", report)]));
    house.model.then(says("It is filled."));
    let check = json!({ "items": [{ "id": house.item_id("fill it"), "checked": true }] });
    house.does("update_checklist_items", check);
    house.drain();
    assert_eq!(house.brief(&house.last_run()), "It is filled.");
}

#[test]
fn whoever_last_looked_before_the_log_begins_looks_at_everything_as_it_is() {
    let house = House::reported("All is well.").restarted(keeps_little);
    let name = house.agent.to_string();
    wait(house.runtime.fleet.agent_pause(&name)).unwrap();
    let check = json!({ "items": [{ "id": house.item_id("fill it"), "checked": true }] });
    house.does("update_checklist_items", check);
    let check = house.head(Domain::Journal);
    house.days_later(100);
    house.days_later(1);
    assert_eq!(house.first(Domain::Journal), check + 1, "all up to the check is let go");
    let asked = house.model.asked().len();
    house.model.then(says("Long time no see."));
    wait(house.runtime.fleet.agent_resume(&name)).unwrap();
    house.drain();
    let run = house.last_run();
    assert_eq!(house.brief(&run), "Long time no see.");
    let told = house.block(asked, BlockKind::Delta).unwrap();
    assert_eq!(
        told,
        "# What changed\n[{\"earlier\":\"not known any more: go by how things are\"}]"
    );
    let task = house.block(asked, BlockKind::Task).unwrap();
    assert!(task.contains("fill it") && task.contains("\"checked\":true"), "{task}");
    let steps = wait(house.runtime.replay(&name, Some(run))).unwrap().steps;
    assert!(steps.iter().all(|step| step.verdict == Verdict::Verified), "{steps:?}");
    // It has seen everything now: the next look goes by what is new again.
    house.does("set_task_title", json!({ "taskId": house.task, "title": "Watered" }));
    house.model.then(says("I see."));
    house.drain();
    let told = house.block(asked + 1, BlockKind::Delta).unwrap();
    assert!(told.contains("title") && !told.contains("earlier"), "{told}");
}

#[test]
fn a_turn_whose_changes_were_let_go_is_recorded_and_never_said_to_differ() {
    let house = House::reported("All is well.").restarted(keeps_little);
    house.does("set_task_title", json!({ "taskId": house.task, "title": "Ferns" }));
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(says("Milk is there."));
    house.drain();
    let run = house.last_run();
    assert_eq!(house.runs()[0].draft.reason, WakeReason::Subscription);
    house.does("set_task_title", json!({ "taskId": house.task, "title": "Moss" }));
    house.model.then(says("I see."));
    house.drain();
    house.days_later(100);
    house.days_later(1);
    let steps = wait(house.runtime.replay(house.agent.as_str(), Some(run))).unwrap().steps;
    let verdict = |name: &str| steps.iter().find(|step| step.step == name).unwrap().verdict;
    assert!(steps.iter().all(|step| step.verdict != Verdict::Differs), "{steps:?}");
    assert_eq!((verdict("prompt: delta"), verdict("wake")), (Verdict::Recorded, Verdict::Verified));
    assert_eq!(verdict("call 1.1: add_multiple_checklist_items"), Verdict::Verified);
    let refused = wait(house.runtime.undo(&run.to_string(), None)).unwrap_err();
    assert!(refused.to_string().contains("no longer in the log"), "{refused}");
}

#[test]
fn nothing_is_let_go_of_which_nobody_was_told_yet() {
    let house = House::set_up(vec![says("First look.")], keeps_little);
    house.drain();
    wait(house.runtime.fleet.kill_on()).unwrap();
    let head = house.head(Domain::Journal);
    let check = json!({ "items": [{ "id": house.item_id("fill it"), "checked": true }] });
    house.does("update_checklist_items", check);
    house.world.advance_ms(200 * DAY_MS);
    wait(house.runtime.settle()).unwrap();
    assert_eq!(house.first(Domain::Journal), 1, "while everything is stopped, nothing goes");
    let house = house.restarted(keeps_little);
    assert!(house.first(Domain::Journal) <= head + 1);
    house.model.then(says("It is filled."));
    wait(house.runtime.fleet.kill_off()).unwrap();
    house.drain();
    assert_eq!(house.brief(&house.last_run()), "It is filled.", "it looked at what came meanwhile");
}
