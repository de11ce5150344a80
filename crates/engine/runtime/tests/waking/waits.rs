//! Waits, hints and triggers: whoever rests for something is woken for it, or for its end.

use dispatch::{Closing, Ending, Rested, WaitDraft};
use ingress::HintDelivery;
use runtime::Delivery;
use store::{ReadDue, ReadRuns, wait};
use types::{
    AgentId, Body, Code, EnvelopeBody, Problem, TriggerId, WaitFor, WaitState, WakeReason,
};
use wake::SourceGone;

use crate::clocks::cron;
use crate::house::House;

impl House {
    /// Lets an agent take a turn that ends with these waits.
    pub(crate) fn rest_for(&self, agent: &AgentId, request: &str, waits: &[WaitFor]) {
        let deadline = self.now().plus_millis(3_600_000);
        let draft = |waiting_for: &WaitFor| WaitDraft {
            waiting_for: waiting_for.clone(),
            description: "something".to_owned(),
            deadline,
        };
        let rested = Rested { waits: waits.iter().map(draft).collect(), wake_at: None };
        self.script.endings.lock().unwrap().push_back(Ending::Done(Closing::default(), rested));
        wait(self.ingress.wake(agent, request)).unwrap();
        self.drain();
        self.world.advance_ms(10_000);
    }

    fn open_waits(&self, agent: &AgentId) -> usize {
        wait(self.store.open_waits(agent.clone(), 100)).unwrap().len()
    }

    fn hint(&self, trigger: &TriggerId, delivery: &str, payload: Option<&[u8]>) -> Option<Code> {
        let hint = HintDelivery {
            trigger: trigger.clone(),
            delivery: delivery.to_owned(),
            source: Some("forge".to_owned()),
            content_type: None,
            payload: payload.map(<[u8]>::to_vec),
            correlation_id: None,
            causation_id: None,
        };
        wait(self.ingress.hint(hint)).err().map(|error| Problem::from(error).code)
    }
}

fn job(id: &str) -> WaitFor {
    WaitFor::Job { job: id.to_owned() }
}

#[test]
fn a_wait_that_nobody_meets_wakes_its_agent_at_its_deadline() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house.rest_for(&agent, "r1", &[job("j1")]);
    let status = wait(house.fleet.agent_status(agent.as_str())).unwrap();
    assert_eq!(status.posture, "awaiting_job");
    assert_eq!(status.obligations[0].edge.as_deref(), Some("job:j1"));
    assert_eq!(status.rest.unwrap().expects.as_deref(), Some("job:j1"));
    let turns = house.turns();
    house.drain();
    assert_eq!(house.turns(), turns);
    let house = {
        house.world.advance_ms(3_600_000);
        house.restart()
    };
    house.drain();
    let claim = house.script.claims.lock().unwrap().pop().unwrap();
    assert_eq!((claim.run.draft.reason, claim.why), (WakeReason::Tick, "a_wait_ended"));
    assert_eq!(house.open_waits(&agent), 0);
}

#[test]
fn the_result_of_a_job_meets_the_wait_for_it_and_is_read_once() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house.rest_for(&agent, "r1", &[job("j1"), job("j2")]);
    let body = EnvelopeBody::Text { text: "done".to_owned() };
    let result = Delivery::job_result(agent.clone(), "j1", 1, body);
    let first = wait(house.ingress.admit(result.clone())).unwrap();
    let again = wait(house.ingress.admit(result)).unwrap();
    assert_eq!((again.run_key, again.again), (first.run_key, true));
    assert_eq!(house.open_waits(&agent), 1, "the other one is still waited for");
    let turns = house.turns();
    house.drain();
    assert_eq!(house.turns(), turns + 1);
}

#[test]
fn whoever_waits_for_what_can_no_longer_happen_is_woken() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    let schedule = wait(house.waker.schedule_create(cron(&agent, "0 7 1 1 *", "UTC"))).unwrap().id;
    let trigger = wait(house.ingress.trigger_ensure(&agent)).unwrap();
    let timer = WaitFor::Timer { schedule: schedule.to_string() };
    let external = WaitFor::External { trigger: trigger.to_string() };
    let ended = |house: &House, why: &str| {
        assert_eq!(house.open_waits(&agent), 0, "{why}");
        house.world.advance_ms(10_000);
        let turns = house.turns();
        house.drain();
        assert_eq!(house.turns(), turns + 1, "{why}");
    };
    house.rest_for(&agent, "r1", std::slice::from_ref(&timer));
    wait(house.waker.schedule_disable(schedule.as_str())).unwrap();
    ended(&house, "the schedule was disabled");
    house.rest_for(&agent, "r2", std::slice::from_ref(&external));
    wait(house.ingress.trigger_revoke(&trigger)).unwrap();
    ended(&house, "the trigger was revoked");
    house.rest_for(&agent, "r3", &[job("j9")]);
    let gone = SourceGone {
        source: job("j9"),
        state: WaitState::Broken { why: "it was cancelled".to_owned() },
    };
    wait(house.waker.source_gone(gone)).unwrap();
    ended(&house, "the job is gone");
    house.rest_for(&agent, "r4", &[timer]);
    assert_eq!(house.open_waits(&agent), 0, "it was over before anybody waited for it");
}

#[test]
fn the_operators_word_meets_a_wait_for_the_operator() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house.rest_for(&agent, "r1", &[WaitFor::Operator]);
    let status = wait(house.fleet.agent_status(agent.as_str())).unwrap();
    assert!(!status.is_flagged() && status.obligations.len() == 1);
    wait(house.ingress.admit(Delivery::prompt(agent.clone(), "go on", "p1"))).unwrap();
    assert_eq!(house.open_waits(&agent), 0);
}

#[test]
fn an_agent_that_wants_to_look_again_at_a_time_does_and_is_woken_before_by_others() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    let wake_at = Some(house.now().plus_millis(600_000));
    let rested = Rested { waits: vec![], wake_at };
    house.script.endings.lock().unwrap().push_back(Ending::Done(Closing::default(), rested));
    wait(house.ingress.wake(&agent, "r1")).unwrap();
    house.drain();
    house.world.advance_ms(300_000);
    house.edit("a", "t", types::TaskStatus::Done);
    house.drain();
    assert_eq!(house.turns(), 2, "resting for a while is no barrier");
    house.world.advance_ms(301_000);
    house.drain();
    assert_eq!(house.turns(), 3);
    let last = house.script.claims.lock().unwrap().pop().unwrap();
    assert_eq!(last.run.draft.reason, WakeReason::Timer);
}

#[test]
fn a_burst_of_hints_is_one_look_and_only_content_takes_a_turn() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    let trigger = wait(house.ingress.trigger_ensure(&agent)).unwrap();
    assert_eq!(wait(house.ingress.trigger_ensure(&agent)).unwrap(), trigger);
    for n in 0..5 {
        assert_eq!(house.hint(&trigger, &format!("d{n}"), None), None);
    }
    assert_eq!(house.hint(&trigger, "d4", None), None, "the same delivery again");
    assert_eq!(wait(house.store.hints(agent.clone())).unwrap()[0].count, 5);
    house.drain();
    assert_eq!(house.turns(), 0, "a bare hint is a sign of life and no more");
    assert_eq!(house.log(&agent), vec!["tick completed"; 5]);
    assert!(wait(house.store.hints(agent.clone())).unwrap().is_empty());
    house.world.advance_ms(10_000);
    house.hint(&trigger, "d9", Some(b"{\"build\":7}"));
    house.drain();
    let claim = house.script.claims.lock().unwrap().pop().unwrap();
    assert_eq!(claim.why, "hint_with_content");
    assert_eq!(claim.hints[0].source.as_deref(), Some("forge"));
    assert!(claim.run.draft.envelope.is_none(), "a hint never becomes a message");
}

#[test]
fn a_paused_agent_keeps_a_hint_and_a_stopped_one_says_how_to_resume_it() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    let trigger = wait(house.ingress.trigger_ensure(&agent)).unwrap();
    wait(house.fleet.agent_pause(agent.as_str())).unwrap();
    assert_eq!(house.hint(&trigger, "d1", Some(b"look")), None);
    house.drain();
    assert_eq!(house.turns(), 0);
    wait(house.fleet.agent_resume(agent.as_str())).unwrap();
    house.drain();
    assert_eq!(house.turns(), 1);
    wait(house.fleet.agent_stop(agent.as_str())).unwrap();
    assert_eq!(house.hint(&trigger, "d2", None), Some(Code::AgentStopped));
    wait(house.ingress.trigger_revoke(&trigger)).unwrap();
    assert_eq!(house.hint(&trigger, "d3", None), Some(Code::UnknownTrigger));
    assert!(matches!(house.record(&trigger), Body::AgentTrigger(_)), "it stays for the audit");
    let next = wait(house.ingress.trigger_ensure(&agent)).unwrap();
    assert_ne!(next, trigger, "a revoked one is not brought back");
}

#[test]
fn whoever_waits_for_something_of_an_agent_that_is_destroyed_is_woken() {
    let house = House::new();
    let (one, other) = (house.agent("keeper", "home"), house.agent("keeper2", "work"));
    let trigger = wait(house.ingress.trigger_ensure(&one)).unwrap();
    let schedule = wait(house.waker.schedule_create(cron(&one, "0 7 1 1 *", "UTC"))).unwrap().id;
    let external = WaitFor::External { trigger: trigger.to_string() };
    let timer = WaitFor::Timer { schedule: schedule.to_string() };
    house.rest_for(&other, "r1", &[external, timer]);
    assert_eq!(house.open_waits(&other), 2);
    wait(house.fleet.agent_destroy(one.as_str())).unwrap();
    assert_eq!(house.open_waits(&other), 0);
    let turns = house.turns();
    house.drain();
    assert_eq!(house.turns(), turns + 1);
}
