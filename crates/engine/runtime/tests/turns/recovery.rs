//! Failures: what is done about each, what they leave, and that an agent comes back by itself.

use std::sync::Arc;

use serde_json::{Value, json};
use store::wait;
use testkit::model::{Line, asks, fails, says};
use types::{
    AttemptOutcome, AttemptRecord, AttemptTimeline, Author, BlockKind, Body, BudgetLimits, Code,
    Commit, Domain, Gate, Lifecycle, MessageKind, ModelFailureKind, RunEnd, RunKey, RunState,
    TokenUsage, TransportDiagnostics, TurnState, Write, limits,
};

use crate::house::{House, start};

/// A house in which the model says this once its agent is spoken to.
fn spoken_to(lines: Vec<Line>) -> (House, RunKey) {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    for line in lines {
        house.model.then(line);
    }
    let run = house.prompt("add milk", "r1");
    house.drain();
    (house, run)
}

fn status(house: &House, run: &RunKey) -> RunState {
    house.runs().into_iter().find(|one| one.draft.run_key == *run).unwrap().state
}

#[test]
fn each_kind_of_failure_is_dealt_with_in_its_own_way() {
    use ModelFailureKind as Kind;
    for (kind, failure, strategy) in [
        (Kind::Timeout, "timeout", "retry"),
        (Kind::Connection, "network_error", "retry"),
        (Kind::RateLimited, "rate_limited", "retry"),
        (Kind::ServerError, "dependency_failure", "replan"),
    ] {
        let (house, run) = spoken_to(vec![fails(kind)]);
        let retried = house.told("run_retried");
        let wanted = json!({ "activity": "ask", "failure_type": failure, "strategy": strategy });
        assert_eq!((retried.len(), &retried[0]["failed"]), (1, &wanted));
        assert!(matches!(status(&house, &run), RunState::Queued { gate: Gate::Until(_) }));
    }
    for (kind, failure, strategy) in [
        (Kind::Authentication, "authentication_failure", "escalate"),
        (Kind::BadRequest, "configuration_error", "rollback"),
    ] {
        let (house, run) = spoken_to(vec![fails(kind)]);
        assert_eq!(house.model.asked().len(), 2, "the first look, and once");
        assert!(house.told("run_retried").is_empty());
        let settled = house.told("turn_settled").pop().unwrap();
        assert_eq!(settled["run_key"], json!(run));
        assert_eq!(settled["recovery"]["failed"]["failure_type"], failure);
        assert_eq!(settled["recovery"]["failed"]["strategy"], strategy);
        assert_eq!(settled["recovery"]["outcome"], "escalated");
        assert!(house.brief(&run).starts_with("I could not finish this"));
    }
}

#[test]
fn what_is_set_up_wrongly_leaves_its_agent_where_its_last_good_turn_left_it() {
    let (house, _) = spoken_to(vec![fails(ModelFailureKind::BadRequest)]);
    let first = house.runs().pop().unwrap().draft.run_key;
    let good = rules::turn::id(&first);
    let settled = house.told("turn_settled").pop().unwrap();
    assert_eq!(settled["recovery"]["failed"]["stands_at"], json!(good));
    let state = house.state();
    assert_eq!(state.recent_head_message_id, Some(rules::turn::round_id(&first, 0)));
    assert_eq!(state.last_turn.unwrap().good, Some(good));
    assert_eq!(house.items(), ["fill it", "find the can"]);
}

#[test]
fn a_provider_that_says_when_to_come_back_is_heeded() {
    let (house, run) = spoken_to(vec![put_off_for(600_000)]);
    let RunState::Queued { gate: Gate::Until(at) } = status(&house, &run) else {
        panic!("it is not tried again");
    };
    assert_eq!(at.millis() - house.now().millis(), 600_000);
}

/// A house whose agent looked, for the first item that was done, and failed: it is to come back in ten minutes.
fn failed_look() -> (House, RunKey) {
    let house = House::reported("Two items are open.");
    house.model.then(put_off_for(600_000));
    check(&house, "find the can");
    house.drain();
    let run = house.runs().remove(0);
    assert!(matches!(run.state, RunState::Queued { gate: Gate::Until(_) }), "{run:?}");
    (house, run.draft.run_key)
}

fn put_off_for(ms: u64) -> Line {
    let mut line = fails(ModelFailureKind::RateLimited);
    if let Err(failure) = &mut line {
        failure.retry_after_ms = Some(ms);
    }
    line
}

fn check(house: &House, title: &str) {
    let item = json!({ "id": house.item_id(title), "checked": true });
    house.does("update_checklist_items", json!({ "items": [item] }));
}

#[test]
fn a_look_that_failed_is_not_taken_again_when_another_has_seen_what_it_was_for() {
    let (house, failed) = failed_look();
    let asked = house.model.asked().len();
    house.model.then(says("Both are done."));
    check(&house, "fill it");
    house.drain();
    let delta = house.block(asked, BlockKind::Delta).unwrap();
    assert!(delta.contains("find the can") && delta.contains("fill it"), "{delta}");
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.model.asked().len(), asked + 1, "nobody pays for the same look twice");
    let RunState::Ended { end: RunEnd::NothingToDo(receipt), .. } = status(&house, &failed) else {
        panic!("{:?}", status(&house, &failed));
    };
    assert_eq!(receipt.rule, "nothing_changed");
}

#[test]
fn a_look_that_failed_is_taken_again_when_another_has_failed_as_well() {
    let (house, failed) = failed_look();
    let asked = house.model.asked().len();
    house.model.then(put_off_for(3_600_000));
    house.model.then(says("Both are done."));
    check(&house, "fill it");
    house.drain();
    let other = house.runs().remove(0).draft.run_key;
    house.world.advance_ms(600_000);
    house.drain();
    assert!(house.brief(&failed).starts_with("Both"));
    // Now it is the other one that has been overtaken.
    house.world.advance_ms(3_600_000);
    house.drain();
    assert_eq!(house.model.asked().len(), asked + 2);
    assert!(matches!(status(&house, &other), RunState::Ended { end: RunEnd::NothingToDo(_), .. }));
}

#[test]
fn a_look_that_has_begun_to_do_something_goes_on_with_it_whoever_looked_meanwhile() {
    let house = House::reported("Two items are open.");
    let asked = house.model.asked().len();
    let calls = asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]);
    for line in [calls, put_off_for(600_000), says("Both are done."), says("Milk is on the list.")]
    {
        house.model.then(line);
    }
    check(&house, "find the can");
    house.drain();
    let begun = house.runs().remove(0).draft.run_key;
    check(&house, "fill it");
    house.drain();
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.model.asked().len(), asked + 4);
    assert_eq!(house.brief(&begun), "Milk is on the list.");
}

#[test]
fn a_failure_is_recovered_by_the_turn_it_ended_and_a_crash_by_nobody_but_the_queue() {
    let (house, run) = spoken_to(vec![fails(ModelFailureKind::Timeout), says("Done.")]);
    assert_eq!(house.told("run_retried")[0]["failed"]["activity"], "ask");
    house.world.advance_ms(60_000);
    house.drain();
    let Some(TurnState::Settled { recovery: Some(recovery), .. }) =
        house.turn(&run).map(|turn| turn.state)
    else {
        panic!("it came to a good end after a failure");
    };
    assert_eq!((recovery.attempts, json!(recovery.outcome)), (1, json!("resolved")));
    let run = house.prompt("and bread", "r2");
    let begin = vec![Write::StartRun { run_key: run }];
    let commit = Commit::new(Domain::Agent, Author::Runtime, house.now(), begin);
    wait(house.runtime.store.commit(commit)).unwrap();
    let House { runtime, model, world, task, agent, home } = house;
    drop(runtime);
    let runtime = start(&home, &world, &Arc::clone(&model), BudgetLimits::default());
    let house = House { runtime, model, world, task, agent, home };
    let retried = house.told("run_retried");
    let crashed: Vec<&Value> =
        retried.iter().filter(|told| told["run_key"] == json!(run)).collect();
    assert_eq!((crashed.len(), &crashed[0]["failed"]), (1, &Value::Null));
}

#[test]
fn interruptions_leave_a_run_its_tries_at_the_model() {
    let mut house = House::new(vec![says("First look."), fails(ModelFailureKind::Timeout)]);
    house.drain();
    let run = house.prompt("are you there?", "r1");
    for _ in 0..7 {
        let begin = vec![Write::StartRun { run_key: run }];
        let commit = Commit::new(Domain::Agent, Author::Runtime, house.now(), begin);
        wait(house.runtime.store.commit(commit)).unwrap();
        house = house.restarted(|_| {});
    }
    for tried in 1..=5 {
        house.world.advance_ms(60_000);
        house.drain();
        let over = matches!(status(&house, &run), RunState::Ended { .. });
        assert_eq!(over, tried == 5, "the model was tried {tried} times");
    }
}

/// A call that was tried twice and spent something. What lies beneath is told with each attempt.
fn tried_twice(kind: ModelFailureKind, causes: &[&str]) -> Line {
    let attempt = |attempt, outcome| AttemptRecord {
        provider: "local".to_owned(),
        model_ref: "local/m".to_owned(),
        attempt,
        max_attempts: 2,
        started_at: None,
        completed_at: None,
        duration_ms: None,
        failure_kind: Some(kind),
        disposition: None,
        outcome,
        advanced_to_fallback: false,
        backoff_ms: None,
        token_usage: None,
        transport_diagnostics: Some(TransportDiagnostics {
            stage: "connect".to_owned(),
            source_chain: causes.iter().map(|cause| (*cause).to_owned()).collect(),
            ..TransportDiagnostics::default()
        }),
    };
    let mut line = fails(kind);
    if let Err(failure) = &mut line {
        failure.timeline = AttemptTimeline {
            attempts: vec![
                attempt(1, AttemptOutcome::Retrying),
                attempt(2, AttemptOutcome::FailFastAborted),
            ],
            requested_model_ref: "local/m".to_owned(),
            aggregated_token_usage: Some(TokenUsage::of(30, 3)),
            ..AttemptTimeline::default()
        };
    }
    line
}

#[test]
fn a_failed_turn_leaves_the_timeline_of_its_attempts_and_what_they_spent() {
    let (house, run) = spoken_to(vec![tried_twice(ModelFailureKind::InvalidResponse, &[])]);
    let Some(TurnState::Settled { timeline: Some(timeline), spent, .. }) =
        house.turn(&run).map(|turn| turn.state)
    else {
        panic!("it failed and says how");
    };
    assert_eq!((timeline.attempts.len(), spent.tokens), (2, TokenUsage::of(30, 3)));
    let id = rules::turn::message_id(&run, "failed", "0").into();
    let entry = wait(house.runtime.store.record(Domain::Agent, id)).unwrap().unwrap();
    let Body::AgentMessage(entry) = entry.body else { panic!("{entry:?}") };
    assert_eq!(entry.kind, MessageKind::System);
    let words = wait(house.runtime.store.content(Domain::Agent, entry.content)).unwrap().unwrap();
    let said: Value = serde_json::from_slice(&words.bytes).unwrap();
    let audit = wait(house.runtime.store.audit(Domain::Agent, 0, 1_000)).unwrap();
    let audit = audit.into_iter().rfind(|entry| entry.action == "runtime_error").unwrap();
    let audit: Value = serde_json::from_str(&audit.detail).unwrap();
    for found in [&said, &audit] {
        assert_eq!(found["timeline"], json!(timeline), "{found}");
        assert_eq!(found["token_usage"]["total_tokens"], 33, "{found}");
    }
}

#[test]
fn a_failure_that_no_trying_mends_reaches_the_caller_with_every_cause() {
    let causes = ["could not connect to 127.0.0.1:9", "connection refused (os error 111)"];
    let (house, run) = spoken_to(vec![tried_twice(ModelFailureKind::Connection, &causes)]);
    assert_eq!(wait(house.runtime.waker.told(run)).unwrap().kind, "pending");
    hours(&house, 6);
    let told = wait(house.runtime.waker.told(run)).unwrap();
    assert_eq!(told.kind, "failure");
    let failure = told.failure.unwrap();
    assert_eq!(failure.source_chain, causes);
    assert_eq!(failure.kind, Code::ModelUnavailable.as_str());
    assert_eq!(failure.metadata["failure_type"], "network_error");
}

#[test]
fn the_last_words_of_a_turn_are_the_models_own_and_may_be_missing() {
    let last = |house: &House, run: &RunKey| match house.turn(run).map(|turn| turn.state) {
        Some(TurnState::Settled { terminal, .. }) => terminal.last_assistant_message,
        other => panic!("{other:?}"),
    };
    let (house, run) = spoken_to(vec![fails(ModelFailureKind::Authentication)]);
    assert_eq!(last(&house, &run), None, "what the operator said is not what it said");
    let (house, run) = House::failed_after_a_call();
    assert_eq!(last(&house, &run), Some(rules::turn::round_id(&run, 0)), "it may be empty");
    house.model.then(says("Here I am."));
    let run = house.prompt("still there?", "r2");
    let asked = house.model.asked().len();
    house.drain();
    assert_eq!(last(&house, &run), Some(rules::turn::round_id(&run, 0)));
    assert_eq!(house.brief(&run), "Here I am.");
    assert_eq!(house.model.asked().len(), asked + 1, "nobody is asked to say it again");
}

/// The operator checks an item off.
fn check_off(house: &House, title: &str) {
    let items = json!([{ "id": house.item_id(title), "checked": true }]);
    house.does("update_checklist_items", json!({ "items": items }));
}

/// Lets time pass, an hour at a step, as long as there is something to do.
fn hours(house: &House, hours: u32) {
    go_by(house, hours, 3_600_000);
}

/// Time goes by in steps, and after each there is somebody who looks.
fn go_by(house: &House, steps: u32, step_ms: i64) {
    for _ in 0..steps {
        house.world.advance_ms(step_ms);
        house.drain();
    }
}

#[test]
fn an_agent_that_failed_rests_and_looks_again_by_itself_and_words_do_not_wait() {
    let house = House::new(vec![says("First look."), fails(ModelFailureKind::Timeout)]);
    house.drain();
    check_off(&house, "fill it");
    for _ in 0..8 {
        house.world.advance_ms(20_000);
        house.drain();
        if house.state().consecutive_failure_count > 0 {
            break;
        }
    }
    let state = house.state();
    assert_eq!(state.consecutive_failure_count, 1);
    let until = state.next_wake_at.unwrap();
    assert!(until > house.now());
    let queued = house.runs().remove(0);
    assert_eq!(queued.draft.reason_id.as_deref(), Some("after_failure"));
    assert_eq!(queued.state, RunState::Queued { gate: Gate::Until(until) }, "it is armed");
    // What changes meanwhile waits with it, and somebody's word does not.
    let asked = house.model.asked().len();
    check_off(&house, "find the can");
    wait(house.runtime.waker.match_changes()).unwrap();
    wait(house.runtime.waker.drain()).unwrap();
    assert_eq!(house.model.asked().len(), asked);
    house.model.then(says("I am here."));
    let run = house.prompt("are you there?", "r1");
    wait(house.runtime.waker.drain()).unwrap();
    assert_eq!(house.brief(&run), "I am here.");
    let state = house.state();
    assert_eq!((state.next_wake_at, state.consecutive_failure_count), (None, 0));
    assert_eq!(state.last_wake_at, Some(house.now()));
    assert_eq!(state.recent_head_message_id, Some(rules::turn::round_id(&run, 0)));
    house.drain();
    assert_eq!(status(&house, &queued.draft.run_key).as_str(), "completed");
}

#[test]
fn a_look_that_fails_has_another_until_its_agent_is_dormant() {
    for most in [limits::FAILURES_IN_A_ROW_MAX, 3] {
        let lines = vec![says("First look."), fails(ModelFailureKind::Timeout)];
        let house = House::set_up(lines, |setup| setup.failures_max = most);
        house.drain();
        check_off(&house, "fill it");
        hours(&house, 60);
        let agent = wait(house.runtime.fleet.agent_get(house.agent.as_str())).unwrap();
        assert!(matches!(agent.identity.lifecycle, Lifecycle::Dormant { .. }), "{agent:?}");
        let failed = house.runs().into_iter().filter(|run| run.state.as_str() == "failed_terminal");
        let failed: Vec<RunKey> = failed.map(|run| run.draft.run_key).collect();
        assert_eq!(failed.len(), most as usize);
        let says_so = failed.iter().map(|run| house.brief(run).contains("I am dormant now"));
        let newest_only = (0..most).map(|n| n == 0);
        assert!(says_so.eq(newest_only), "the brief of the last one says so, and no other");
        let told = house.told("lifecycle_changed").pop().unwrap();
        let why =
            format!("it failed {most} times in a row; the last time: the script says timeout");
        assert_eq!(told["why"], why);
        assert_eq!(house.state().next_wake_at, None);
        house.model.then(says("The provider is back."));
        wait(house.runtime.fleet.agent_resume(house.agent.as_str())).unwrap();
        house.drain();
        assert_eq!(house.state().consecutive_failure_count, 0, "it looked at once");
    }
}

#[test]
fn what_is_down_for_a_night_is_found_up_again_in_the_morning() {
    let house = House::new(vec![says("First look."), fails(ModelFailureKind::Timeout)]);
    house.drain();
    check_off(&house, "fill it");
    const MINUTES: i64 = 60_000;
    go_by(&house, 120, 5 * MINUTES);
    assert_eq!(house.state().consecutive_failure_count, 6, "after ten hours");
    house.model.then(says("The provider is back."));
    go_by(&house, 60, 5 * MINUTES);
    assert_eq!(house.state().consecutive_failure_count, 0, "nobody resumed it");
}

#[test]
fn a_run_that_is_tried_again_says_when_and_how_it_failed() {
    let house = House::new(vec![says("First look."), fails(ModelFailureKind::Timeout)]);
    house.drain();
    let run = house.prompt("are you there?", "r1");
    wait(house.runtime.waker.drain()).unwrap();
    let told = wait(house.runtime.waker.told(run)).unwrap();
    assert_eq!(told.kind, "pending");
    assert!(told.text.starts_with("it waits until"), "{told:?}");
    assert!(told.text.ends_with("the last time: the script says timeout"), "{told:?}");
    let failed = wait(house.runtime.waker.failed_so_far(&house.runs())).unwrap();
    assert_eq!(failed.into_keys().collect::<Vec<_>>(), [run]);
}

#[test]
fn an_agent_whose_first_look_failed_has_it_still_before_it() {
    let refused = fails(ModelFailureKind::Authentication);
    let house = House::new(vec![refused, says("Now I have looked.")]);
    hours(&house, 2);
    let newest = house.runs().remove(0).draft.run_key;
    assert_eq!(house.brief(&newest), "Now I have looked.");
}

#[test]
fn a_key_that_has_expired_keeps_nobody_from_looking_once_it_is_renewed() {
    for refused in [ModelFailureKind::Authentication, ModelFailureKind::SecretUnavailable] {
        let house = House::new(vec![says("First look."), fails(refused)]);
        house.drain();
        check_off(&house, "fill it");
        hours(&house, 6);
        house.model.then(says("The key is good again."));
        hours(&house, 6);
        let newest = house.runs().remove(0).draft.run_key;
        assert_eq!(house.brief(&newest), "The key is good again.");
        assert_eq!(house.state().consecutive_failure_count, 0);

        let house = House::new(vec![says("First look."), fails(refused)]);
        house.drain();
        check_off(&house, "fill it");
        hours(&house, 72);
        let agent = wait(house.runtime.fleet.agent_get(house.agent.as_str())).unwrap();
        assert!(matches!(agent.identity.lifecycle, Lifecycle::Dormant { .. }), "{agent:?}");
    }
}

#[test]
fn what_no_trying_mends_is_looked_after_once() {
    let house = House::new(vec![says("First look."), fails(ModelFailureKind::InvalidResponse)]);
    house.drain();
    check_off(&house, "fill it");
    hours(&house, 10);
    let runs = house.runs();
    let failed: Vec<Code> = runs
        .iter()
        .filter_map(|run| match &run.state {
            RunState::Ended { end: types::RunEnd::Failed(failure), .. } => Some(failure.code),
            _ => None,
        })
        .collect();
    assert_eq!(failed, [Code::InvalidResponse, Code::InvalidResponse], "{runs:#?}");
}
