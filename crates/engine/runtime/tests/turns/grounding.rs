//! What turns put into the common ground of a conversation.

use rules::session::Standing;
use store::wait;
use testkit::model::{asks, fails, says};
use types::{AcceptanceEvidence, Code, GroundingAct, ModelFailureKind, Problem, RunKey, TurnState};

use runtime::ConversationView;

use crate::house::House;
use crate::sessions::talk;

fn conversation(house: &House) -> ConversationView {
    let id = talk(house).session.conversation_id;
    wait(house.runtime.sessions.conversation(id.as_str())).unwrap()
}

/// What is common ground: act, evidence, standing.
fn ground(house: &House) -> Vec<(GroundingAct, AcceptanceEvidence, Standing)> {
    let all = conversation(house).ground.into_iter();
    all.map(|one| (one.uttered.grounding.act, one.uttered.grounding.evidence, one.standing))
        .collect()
}

fn is_grounded(house: &House, run: &RunKey) -> bool {
    let turn = house.turn(run).unwrap();
    matches!(turn.state, TurnState::Settled { grounding: Some(_), .. })
}

#[test]
fn a_turn_that_answers_records_what_it_did_to_the_common_ground_and_how_that_shows() {
    use AcceptanceEvidence::{Answered, Demonstrated, Stated};
    use GroundingAct::{Acknowledge, Cancel, Initiate};
    use Standing::{Shared, Withdrawn};
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let alone = house.runs()[0].draft.run_key;
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(says("Added."));
    house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(ground(&house), [(Initiate, Demonstrated, Shared)]);
    house.prompt("we have two cans", "r2");
    house.drain();
    house.prompt("no", "r3");
    house.drain();
    let after = [
        (Initiate, Demonstrated, Shared),
        (Initiate, Answered, Withdrawn),
        (Cancel, Answered, Shared),
    ];
    assert_eq!(ground(&house), after);
    assert!(!is_grounded(&house, &alone), "nobody spoke");
    // The operator says besides how the second stands after all.
    let known = conversation(&house);
    let turn = known.ground[1].uttered.turn.to_string();
    let update = |turn: &str, act| {
        let sessions = &house.runtime.sessions;
        wait(sessions.update_ground(known.id.as_str(), turn, act)).map_err(Problem::from)
    };
    house.world.advance_ms(1);
    let told = update(&turn, Acknowledge).unwrap();
    assert_eq!(told, conversation(&house));
    assert_eq!(ground(&house)[1], (Initiate, Stated, Shared));
    assert_eq!(update("turn_x", Acknowledge).unwrap_err().code, Code::UnknownRecord);
    assert_eq!(update(&turn, Initiate).unwrap_err().code, Code::InvalidRecord);
}

#[test]
fn a_turn_is_remembered_and_grounded_in_one_commit_or_neither() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    let run = house.prompt("add milk", "r1");
    // The tool has run; the process dies before the end is written.
    let house = house.dies(1);
    assert_eq!(house.items(), ["fill it", "find the can", "milk"]);
    assert!(ground(&house).is_empty() && talk(&house).turns == 0, "it is not committed");
    house.model.then(says("Added."));
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.brief(&run), "Added.");
    assert_eq!((ground(&house).len(), talk(&house).turns), (1, 1), "once each");
    assert_eq!(house.items(), ["fill it", "find the can", "milk"], "and done once");
    // Counters and budget are settled with it, and what it set aside is free again.
    assert_eq!(house.state().wake_counter, 2);
    assert_eq!(house.account().reserved, types::Amounts::default());
}

#[test]
fn a_turn_that_can_never_be_committed_is_no_common_ground_and_says_that_it_acted() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    let run = house.prompt("add milk", "r1");
    let mut house = house.dies(1);
    for _ in 0..20 {
        house = house.dies(0);
    }
    assert_eq!(house.end(&run), ("failed", Some(Code::RunInterrupted)));
    assert!(!is_grounded(&house, &run) && ground(&house).is_empty());
    assert_eq!(house.told("partial_turn_failure").len(), 1);
}

#[test]
fn a_turn_that_fails_before_it_acts_is_tried_again_and_leaves_no_ground_if_it_stays_so() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(fails(ModelFailureKind::Timeout));
    house.model.then(says("There."));
    let run = house.prompt("hello", "r1");
    house.drain();
    assert!(house.turn(&run).is_none_or(|turn| turn.state == TurnState::Open));
    assert!(ground(&house).is_empty());
    for _ in 0..3 {
        house.world.advance_ms(600_000);
        house.drain();
    }
    assert!(is_grounded(&house, &run));
    house.model.then(fails(ModelFailureKind::Authentication));
    let run = house.prompt("and now?", "r2");
    house.drain();
    assert!(!is_grounded(&house, &run));
    assert_eq!(ground(&house).len(), 1);
    assert!(house.told("partial_turn_failure").is_empty());
}
