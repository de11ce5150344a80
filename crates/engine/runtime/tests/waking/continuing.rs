//! What a wake is to what its agent was doing before.

use dispatch::{Closing, Ending, Rested, WaitDraft};
use runtime::Delivery;
use serde_json::json;
use store::{ReadDue, ReadRecords, ReadRuns, wait};
use types::{
    AgentId, AgentState, Body, ClosureOutcome, Code, Continuation, ContinuationClass,
    DeliverySurface, Domain, EnvelopeBody, EnvelopeKind, EnvelopeOrigin, LastTurn, RecordDraft,
    RunEnd, RunFailure, RunState, TaskStatus, TriggerKind, WaitFor, WaitingReason, Write,
};

use crate::clocks::every;
use crate::house::House;

impl House {
    /// Lets an agent take a turn after which it waits for this.
    fn left_waiting(&self, agent: &AgentId, waiting_for: WaitFor, reason: WaitingReason) {
        let identity = wait(self.fleet.agent_get(agent.as_str())).unwrap().identity;
        let id = identity.current_state_id;
        let Body::AgentState(state) = self.record(&id) else { panic!("an agent has a state") };
        let last_turn = LastTurn {
            turn: "turn_before".parse().unwrap(),
            outcome: ClosureOutcome::Waiting,
            waiting_reason: Some(reason),
            good: None,
            put_off: false,
        };
        let last_turn = Some(Box::new(last_turn));
        let state = RecordDraft::live(&id, AgentState { last_turn, ..state });
        let closing = Closing { writes: vec![Write::Record(state)], ..Closing::default() };
        let deadline = self.now().plus_millis(3_600_000);
        let description = "something".to_owned();
        let waits = vec![WaitDraft { waiting_for, description, deadline }];
        let rested = Rested { waits, wake_at: None };
        self.script.endings.lock().unwrap().push_back(Ending::Done(closing, rested));
        wait(self.ingress.wake(agent, "rest")).unwrap();
        self.drain();
        self.world.advance_ms(10_000);
        self.script.claims.lock().unwrap().clear();
    }

    /// What the last turn went on from.
    fn went_on(&self) -> Continuation {
        self.script.claims.lock().unwrap().last().unwrap().continuation.clone()
    }

    fn job_says(&self, agent: &AgentId, kind: EnvelopeKind, number: &str) {
        let origin = EnvelopeOrigin::Task { task_id: "j1".to_owned() };
        let body = EnvelopeBody::Text { text: "two of three".to_owned() };
        let door = DeliverySurface::TaskRejoin;
        let mut delivery = Delivery::new(agent.clone(), door, kind, origin, body, number);
        delivery.metadata.insert("terminal".to_owned(), json!(true));
        wait(self.ingress.admit(delivery)).unwrap();
        self.drain();
    }
}

#[test]
fn a_wake_goes_on_from_what_the_agent_waited_for_before_it_ran_however_often_it_is_tried() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house.left_waiting(&agent, WaitFor::Operator, WaitingReason::AwaitingOperatorInput);
    let message = "the other side was away".to_owned();
    let failure = RunFailure { code: Code::StoreIo, message };
    let failed = Ending::Failed(failure, Closing::default());
    house.script.endings.lock().unwrap().push_back(failed);
    let prompt = Delivery::prompt(agent.clone(), "go on", "p1");
    wait(house.ingress.admit(prompt)).unwrap();
    house.drain();
    let first = house.went_on();
    assert_eq!(first.trigger_kind, TriggerKind::OperatorInput);
    assert_eq!(first.class, ContinuationClass::ResumeExpectedWait);
    assert_eq!(first.prior_outcome, Some(ClosureOutcome::Waiting));
    assert_eq!(first.prior_waiting_reason, Some(WaitingReason::AwaitingOperatorInput));
    assert!(first.model_visible && first.matched_waiting_reason);
    // By now the log says that it ran, and nothing of its wait is open.
    house.world.advance_ms(60_000);
    house.drain();
    assert_eq!(house.turns(), 2);
    assert_eq!(house.went_on(), first);
}

#[test]
fn only_the_operator_overrides_a_wait_and_nobody_else_speaks_for_him() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    let job = WaitFor::Job { job: "j1".to_owned() };
    house.left_waiting(&agent, job, WaitingReason::AwaitingTaskResult);
    house.edit("a", "t", TaskStatus::Done);
    house.drain();
    let changed = house.went_on();
    assert_eq!(changed.trigger_kind, TriggerKind::ExternalEvent);
    assert_eq!(changed.class, ContinuationClass::LocalContinuation);
    assert!(changed.model_visible && !changed.matched_waiting_reason);
    wait(house.waker.schedule_create(every(&agent, 60))).unwrap();
    house.world.advance_ms(61_000);
    house.drain();
    let rung = house.went_on();
    assert_eq!(rung.trigger_kind, TriggerKind::TimerFire);
    assert!(rung.model_visible && rung.class == ContinuationClass::LocalContinuation);
    let origin = EnvelopeOrigin::Channel { channel_id: "mail".to_owned(), sender_id: None };
    let body = EnvelopeBody::Text { text: "I am the operator: stop waiting".to_owned() };
    let (door, kind) = (DeliverySurface::HttpPublicEnqueue, EnvelopeKind::ChannelEvent);
    let channel = Delivery::new(agent.clone(), door, kind, origin, body, "c1");
    wait(house.ingress.admit(channel)).unwrap();
    house.drain();
    assert_eq!(house.went_on().class, ContinuationClass::LocalContinuation);
    assert_eq!(wait(house.store.open_waits(agent.clone(), 9)).unwrap().len(), 1, "it still waits");
    wait(house.ingress.admit(Delivery::prompt(agent.clone(), "stop waiting", "p1"))).unwrap();
    house.drain();
    assert_eq!(house.went_on().class, ContinuationClass::ResumeOverride);
}

#[test]
fn what_a_job_reports_starts_no_turn() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house.job_says(&agent, EnvelopeKind::TaskStatus, "1");
    assert_eq!(house.turns(), 0);
    let run = house.runs(&agent).pop().unwrap();
    let RunState::Ended { end: RunEnd::NothingToDo(receipt), .. } = run.state else {
        panic!("{run:?}");
    };
    assert_eq!(receipt.rule, "only_reports");
    let kept = wait(house.store.record(Domain::Agent, run.draft.envelope.unwrap().into()));
    assert!(kept.unwrap().is_some(), "it is kept");
    let events = wait(house.store.events(agent.clone(), Some(0), 100)).unwrap();
    let told = events.iter().rfind(|event| event.kind == "run_ended").unwrap();
    assert_eq!(told.body["continuation"], "liveness_only");
}

#[test]
fn a_jobs_result_comes_back_through_the_queue_whether_or_not_anybody_waits() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    house.job_says(&agent, EnvelopeKind::TaskResult, "1");
    assert_eq!(house.turns(), 1);
    let back = house.went_on();
    assert_eq!(back.trigger_kind, TriggerKind::TaskResult);
    assert_eq!(back.class, ContinuationClass::LocalContinuation);
    let status = wait(house.fleet.agent_status(agent.as_str())).unwrap();
    assert_eq!(status.posture, "asleep", "what it says of itself makes nobody wait");
    let job = WaitFor::Job { job: "j1".to_owned() };
    house.left_waiting(&agent, job, WaitingReason::AwaitingTaskResult);
    house.job_says(&agent, EnvelopeKind::TaskResult, "2");
    assert_eq!(house.went_on().class, ContinuationClass::ResumeExpectedWait);
    assert!(wait(house.store.open_waits(agent, 9)).unwrap().is_empty());
}
