//! A class of tools that is stopped: everybody goes on, and nobody uses those.

use store::wait;
use testkit::model::{asks, says};
use types::Capability;

use crate::house::House;

#[test]
fn a_class_of_tools_is_stopped_for_everybody_until_it_is_lifted_and_the_turn_goes_on() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    wait(house.runtime.fleet.tools_stop(Capability::ChecklistWrite)).unwrap();
    let house = house.restarted(|_| {});
    assert_eq!(wait(house.runtime.fleet.tools_stopped()).unwrap(), ["checklistWrite"]);
    let try_it = |house: &House, request: &str| {
        house.model.then(asks(&[(request, "add_multiple_checklist_items", house.item(request))]));
        house.model.then(says("I did what I could."));
        let run = house.prompt("add it", request);
        house.drain();
        assert_eq!(house.brief(&run), "I did what I could.");
        format!("{:?}", house.model.asked().last().unwrap().said)
    };
    let told = try_it(&house, "milk");
    assert!(told.contains("tool_class_stopped"), "{told}");
    let callable = || house.model.asked().pop().unwrap().allowed;
    let withheld = ["add_multiple_checklist_items", "update_checklist_items", "create_checklist"];
    let left = callable().expect("some are withheld");
    assert!(left.contains(&"set_task_title".to_owned()), "{left:?}");
    assert!(withheld.iter().all(|tool| !left.contains(&(*tool).to_owned())), "{left:?}");
    assert_eq!(house.items(), ["fill it", "find the can"]);
    // Another class is not concerned, and neither is anybody once it is lifted.
    let title = serde_json::json!({ "taskId": house.task, "title": "Water all" });
    house.model.then(asks(&[("t", "set_task_title", title)]));
    house.model.then(says("Done."));
    house.prompt("call it otherwise", "title");
    house.drain();
    let renamed = wait(house.runtime.journal.task_get(&house.task)).unwrap();
    assert_eq!(renamed.task.title, "Water all");
    wait(house.runtime.fleet.tools_allow(Capability::ChecklistWrite)).unwrap();
    try_it(&house, "bread");
    assert_eq!(house.items(), ["bread", "fill it", "find the can"]);
    assert_eq!(callable(), None, "nothing is withheld any more");
    let stops = house.audited().into_iter().filter(|(action, ..)| action.starts_with("kill."));
    let stops: Vec<_> = stops.map(|(action, scope, _)| format!("{action} {scope}")).collect();
    assert_eq!(stops, ["kill.on tool:checklistWrite", "kill.off tool:checklistWrite"]);
}

#[test]
fn a_class_that_is_stopped_while_the_model_thinks_holds_for_what_is_not_written_yet() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let fleet = house.runtime.fleet.clone();
    let stop = move || wait(fleet.tools_stop(Capability::ReportWrite)).unwrap();
    house.model.meanwhile(1, stop);
    let report = serde_json::json!({ "content": "All is well.", "claims": [] });
    // Nothing of an answer is kept that rests on what did not get through: it is asked for again.
    for _ in 0..2 {
        house.model.then(asks(&[("a", "update_report", report.clone())]));
        house.model.then(says("Reported."));
    }
    let run = house.prompt("write the report", "r1");
    for _ in 0..3 {
        house.drain();
        house.world.advance_ms(600_000);
    }
    assert_eq!(house.brief(&run), "Reported.");
    let told = format!("{:?}", house.model.asked().last().unwrap().said);
    assert!(told.contains("tool_class_stopped"), "{told}");
    let heads = wait(house.runtime.memory.report(&house.agent, types::ReportScope::Current));
    assert!(heads.unwrap().is_none(), "a report was written behind the stop");
}
