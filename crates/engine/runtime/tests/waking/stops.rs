//! Barriers, pauses, kill switches, the end: nothing that is stopped is lost.

use store::{ReadChanges, wait};
use types::{
    Author, Code, Conflict, Domain, FenceScope, Lifecycle, Outcome, Problem, TaskStatus, WakeReason,
};

use crate::house::House;

#[test]
fn a_barrier_stops_looks_lets_words_through_and_ends_with_a_tick() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    let until = house.now().plus_millis(3_600_000);
    wait(house.fleet.agent_sleep_until(agent.as_str(), Some(until))).unwrap();
    house.drain();
    for n in 0..3 {
        house.edit("a", &n.to_string(), TaskStatus::Done);
        house.drain();
        house.world.advance_ms(60_000);
    }
    assert_eq!(house.turns(), 0);
    assert!(house.log(&agent).iter().any(|line| line.ends_with("skipped_sleeping")));
    let delivery = runtime::Delivery::prompt(agent.clone(), "hello", "p1");
    wait(house.ingress.admit(delivery)).unwrap();
    house.drain();
    assert_eq!(house.turns(), 1, "somebody's word passes a barrier");
    house.edit("b", "after", TaskStatus::Done);
    house.drain();
    assert_eq!(house.turns(), 1);
    house.world.set(until);
    house.drain();
    assert_eq!(house.turns(), 2, "the tick at the barrier's end looks at what came before it");
    let last = house.script.claims.lock().unwrap().pop().unwrap();
    assert_eq!(last.run.draft.reason, WakeReason::Tick);
    assert_eq!(last.why, "relevant_change");
}

#[test]
fn a_barrier_that_is_lifted_early_lets_go_at_once() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    let until = house.now().plus_millis(86_400_000);
    wait(house.fleet.agent_sleep_until(agent.as_str(), Some(until))).unwrap();
    house.edit("a", "t", TaskStatus::Done);
    house.drain();
    assert_eq!(house.turns(), 0);
    wait(house.fleet.agent_sleep_until(agent.as_str(), None)).unwrap();
    house.world.advance_ms(5_000);
    house.drain();
    assert_eq!(house.turns(), 1);
}

#[test]
fn a_paused_agent_keeps_what_comes_and_catches_up_when_it_is_resumed() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    wait(house.fleet.agent_pause(agent.as_str())).unwrap();
    for n in 0..3 {
        house.edit("a", &n.to_string(), TaskStatus::Done);
        house.drain();
    }
    assert_eq!(house.turns(), 0);
    let status = wait(house.fleet.agent_status(agent.as_str())).unwrap();
    assert!(status.is_flagged(), "nothing but the operator can let the held run go");
    assert!(status.edges.is_empty());
    let house = house.restart();
    house.drain();
    assert_eq!(house.turns(), 0, "a restart resumes nobody");
    wait(house.fleet.agent_resume(agent.as_str())).unwrap();
    house.drain();
    assert_eq!(house.turns(), 1);
    assert!(!wait(house.fleet.agent_status(agent.as_str())).unwrap().is_flagged());
}

#[test]
fn what_a_paused_or_killed_agent_has_on_its_way_does_not_get_through() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house.edit("a", "t", TaskStatus::Done);
    house.drain();
    let claim = house.script.claims.lock().unwrap().pop().unwrap();
    let write = |house: &House| house.put(claim.author(), "mine", "t", TaskStatus::Open);
    assert!(matches!(write(&house), Outcome::Applied(_)));
    wait(house.fleet.kill_on()).unwrap();
    let fenced = |outcome| matches!(outcome, Outcome::Conflict(Conflict::Fenced { .. }));
    assert!(fenced(write(&house)));
    wait(house.fleet.kill_off()).unwrap();
    assert!(matches!(write(&house), Outcome::Applied(_)), "the claim still holds");
    wait(house.fleet.agent_pause(agent.as_str())).unwrap();
    assert!(fenced(write(&house)));
    wait(house.fleet.agent_resume(agent.as_str())).unwrap();
    assert!(fenced(write(&house)), "a resumed agent works under a new claim");
}

#[test]
fn while_the_kill_switch_is_on_the_cursor_stands_and_lifting_it_catches_up() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    wait(house.fleet.kill_on()).unwrap();
    house.edit("a", "t", TaskStatus::Done);
    assert_eq!(house.drain(), 0);
    assert!(house.log(&agent).is_empty());
    let refused = wait(house.ingress.wake(&agent, "now")).unwrap_err();
    assert_eq!(Problem::from(refused).code, Code::KillSwitchOn);
    let house = house.restart();
    assert!(wait(house.fleet.killed()).unwrap(), "a restart lifts nothing");
    assert_eq!(house.drain(), 0);
    wait(house.fleet.kill_off()).unwrap();
    house.drain();
    assert_eq!(house.turns(), 1);
}

#[test]
fn a_stop_that_died_between_the_two_files_is_mended_at_the_next_start() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    // The first half of a pause: the journal's fence, and then the end of the process.
    let scope = FenceScope::Agent(agent.clone());
    let epoch = types::Epoch { boot: 1, attempt: 9 };
    let fence = types::FenceMove { scope: scope.clone(), epoch, closed: true };
    let writes = vec![types::Write::Fence(fence)];
    let commit = types::Commit::new(Domain::Journal, Author::Operator, house.now(), writes);
    wait(store::Store::commit(&*house.store, commit)).unwrap();
    let house = house.restart();
    assert!(!wait(house.store.fence(Domain::Journal, scope)).unwrap().closed);
    house.edit("a", "t", TaskStatus::Done);
    house.drain();
    let claim = house.script.claims.lock().unwrap().pop().unwrap();
    let written = house.put(claim.author(), "mine", "t", TaskStatus::Open);
    assert!(matches!(written, Outcome::Applied(_)), "{written:?}");
}

#[test]
fn a_destroyed_agent_takes_nothing_and_what_waits_for_it_ends() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house.edit("a", "t", TaskStatus::Done);
    wait(house.waker.match_changes()).unwrap();
    let view = wait(house.fleet.agent_destroy(agent.as_str())).unwrap();
    assert!(matches!(view.identity.lifecycle, Lifecycle::Destroyed { .. }));
    house.drain();
    assert_eq!(house.log(&agent), ["subscription skipped_destroyed"]);
    house.edit("a", "nobody hears of this", TaskStatus::Open);
    house.drain();
    assert_eq!(house.log(&agent).len(), 1, "an agent that is over still listens");
    assert_eq!(house.turns(), 0);
    let delivery = runtime::Delivery::prompt(agent.clone(), "hello", "p1");
    let refused = wait(house.ingress.admit(delivery)).unwrap_err();
    assert_eq!(Problem::from(refused).code, Code::AgentDestroyed);
    let again = wait(house.fleet.agent_resume(agent.as_str())).unwrap_err();
    assert_eq!(Problem::from(again).code, Code::AgentDestroyed);
}
