//! What somebody is told who watches all agents: each turn, each look without one, and who rests.

use runtime::{Account, Seen};
use serde_json::json;
use store::wait;
use testkit::model::{fails, says};
use types::ModelFailureKind;

use crate::house::House;

/// The next so many things that are told, each in short.
fn told(account: &mut Account, wanted: usize) -> Vec<String> {
    let mut all = Vec::new();
    while all.len() < wanted {
        all.extend(wait(account.next()).unwrap().iter().map(short));
    }
    all
}

fn short(told: &Seen) -> String {
    match told {
        Seen::Turn(turn) => format!("turn {}: {}", turn.reason.as_str(), turn.brief),
        Seen::Look(look) => format!("look {}: {} {}", look.name, look.rule, look.changes_seen),
        Seen::Life(life) => format!(
            "{}: {}. {}",
            life.lifecycle.as_str(),
            life.why.as_deref().unwrap_or_default(),
            life.way_back.as_deref().unwrap_or_default()
        ),
    }
}

#[test]
fn whoever_watches_is_told_of_turns_of_looks_and_of_who_rests_in_their_order_and_once() {
    let house = House::set_up(vec![says("First look.")], |setup| setup.failures_max = 1);
    let mut account = wait(house.runtime.account()).unwrap();
    house.drain();
    assert_eq!(told(&mut account, 1), ["turn tick: First look."]);
    let item = house.item_id("fill it");
    house.does("reorder_checklist_items", json!({ "itemId": item, "toTop": true }));
    house.drain();
    assert_eq!(told(&mut account, 1), ["look Water: nothing_relevant 1"]);
    house.model.then(fails(ModelFailureKind::Authentication));
    let run = house.prompt("add milk", "r1");
    house.drain();
    let (brief, resume) = (house.brief(&run), format!("`dormouse agent resume {}`", house.agent));
    assert!(brief.starts_with("I could not finish this"), "{brief}");
    assert!(brief.contains("\nI am dormant now") && brief.contains(&resume), "{brief}");
    let rests = format!(
        "dormant: it failed: the script says authentication. mend what failed, then resume it: {resume}"
    );
    assert_eq!(told(&mut account, 2), [format!("turn user_initiated: {brief}"), rests]);
    wait(house.runtime.fleet.agent_resume(house.agent.as_str())).unwrap();
    house.drain();
    assert_eq!(told(&mut account, 2), ["active: . ", "look Water: nothing_changed 0"]);
}

#[test]
fn whoever_watches_is_told_that_a_task_is_gone_and_what_brings_its_agent_back() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let mut account = wait(house.runtime.account()).unwrap();
    house.does("remove_task", json!({ "taskId": house.task }));
    house.drain();
    let rests = format!(
        "dormant: the task it tends is gone. bring its task back, `dormouse history` shows what removed \
         it; then resume it: `dormouse agent resume {}`",
        house.agent
    );
    let all = told(&mut account, 2);
    assert_eq!(all[0], rests);
    assert!(all[1].starts_with("look Water: task_missing "), "{all:?}");
    wait(house.runtime.fleet.agent_pause(house.agent.as_str())).unwrap();
    let paused =
        format!("dormant: it was paused. resume it: `dormouse agent resume {}`", house.agent);
    assert_eq!(told(&mut account, 1), [paused]);
}
