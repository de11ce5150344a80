//! Every question to a model counts on its run and leaves an entry, whatever became of it.

use std::sync::{Arc, Mutex};

use model::{Asking, Failure, Heard, Listen, Model, Price, Request, Response};
use runtime::Setup;
use serde_json::json;
use store::wait;
use testkit::model::{Line, asks, fails, says};
use types::{
    Account, Amounts, AttemptOutcome, AttemptRecord, AttemptTimeline, Code, ModelFailureKind,
    ModelRef, RunKey, TokenUsage, TransportDiagnostics, TurnSpent, TurnState, Usage,
};

use crate::house::House;

/// A timeline of attempts that came so far; the last of them was answered if nothing is said of it.
fn tried(stages: &[&str], tokens: Option<TokenUsage>) -> AttemptTimeline {
    let attempt = |stage: &&str| AttemptRecord {
        provider: "local".to_owned(),
        model_ref: "local/m".to_owned(),
        attempt: 1,
        max_attempts: 3,
        started_at: None,
        completed_at: None,
        duration_ms: None,
        failure_kind: None,
        disposition: None,
        outcome: AttemptOutcome::Retrying,
        advanced_to_fallback: false,
        backoff_ms: None,
        token_usage: tokens,
        transport_diagnostics: (!stage.is_empty()).then(|| TransportDiagnostics {
            stage: (*stage).to_owned(),
            ..TransportDiagnostics::default()
        }),
    };
    AttemptTimeline {
        attempts: stages.iter().map(attempt).collect(),
        aggregated_token_usage: stages.iter().filter_map(|_| tokens).reduce(TokenUsage::plus),
        ..AttemptTimeline::default()
    }
}

/// The same line, reached like this.
fn reached(line: Line, timeline: AttemptTimeline) -> Line {
    match line {
        Ok(response) => Ok(Response { timeline, ..response }),
        Err(failure) => Err(Failure { timeline, ..failure }),
    }
}

fn usage(house: &House, run: &RunKey) -> Usage {
    wait(house.runtime.store.run(*run)).unwrap().unwrap().usage
}

fn spent(house: &House, run: &RunKey) -> TurnSpent {
    match house.turn(run).map(|turn| turn.state) {
        Some(TurnState::Settled { spent, .. }) => spent,
        other => panic!("it is not over: {other:?}"),
    }
}

/// What the audit says became of the questions of a run, each with its tokens.
fn became(house: &House, run: &RunKey) -> Vec<String> {
    let turn = rules::turn::id(run).to_string();
    let of_run = |(action, subject, _): &(String, String, String)| {
        action == "model.call" && *subject == turn
    };
    let entries = house.audited().into_iter().filter(of_run);
    let details = entries.map(|(_, _, detail)| detail.splitn(2, ':').last().unwrap().to_owned());
    details.collect()
}

/// What a question may cost at most, by its number.
fn at_most(house: &House, asked: usize) -> TokenUsage {
    let asked = house.model.asked().swap_remove(asked);
    let tokens = |text: &str| u64::try_from(text.len().div_ceil(4)).unwrap();
    let prompt: u64 = asked.prompt.iter().map(|block| tokens(&block.text)).sum();
    let tools = asked.tools.iter();
    let tools: u64 =
        tools.map(|tool| tokens(&tool.description) + tokens(&tool.input_schema.to_string())).sum();
    TokenUsage::of(prompt + tools, asked.generation.max_output_tokens)
}

/// What was spent since.
fn since(house: &House, before: Amounts) -> Amounts {
    let Account { spent, reserved } = house.account();
    assert_eq!(reserved, Amounts::default(), "nothing stays set aside");
    spent.less(before)
}

/// A house whose agent has had its first look, and what that has spent.
fn looked() -> (House, Amounts) {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let spent = house.account().spent;
    (house, spent)
}

fn hours(house: &House, hours: u32) {
    for _ in 0..hours {
        house.world.advance_ms(3_600_000);
        house.drain();
    }
}

#[test]
fn a_run_counts_all_that_was_sent_in_every_attempt_and_audits_each_question() {
    let (house, before) = looked();
    let each = Some(TokenUsage::of(20, 1));
    let three = tried(&["connect", "headers", "headers"], each);
    house.model.then(reached(fails(ModelFailureKind::Timeout), three));
    house.model.then(reached(says("Here I am."), tried(&["headers", "headers", ""], each)));
    let run = house.prompt("are you there?", "r1");
    hours(&house, 2);
    assert_eq!(house.brief(&run), "Here I am.");
    // The first attempt of the first question reached nobody.
    let all = Usage { model_calls: 5, tokens_in: 120, tokens_out: 6 };
    assert_eq!(usage(&house, &run), all);
    let of_turn = spent(&house, &run);
    assert_eq!((of_turn.model_calls, of_turn.tokens), (5, TokenUsage::of(120, 6)));
    let counted = since(&house, before);
    assert_eq!((counted.tokens, counted.cost_micros), (126, of_turn.cost_micros));
    assert_eq!(became(&house, &run), ["63:failed:model_unavailable", "63:answered"]);
}

#[test]
fn a_run_that_is_given_up_after_failing_again_and_again_counts_and_audits_every_question() {
    let (house, before) = looked();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    let failed = tried(&["headers"], Some(TokenUsage::of(20, 1)));
    house.model.then(reached(fails(ModelFailureKind::Timeout), failed));
    let run = house.prompt("add milk", "r1");
    for _ in 0..8 {
        house.world.advance_ms(600_000);
        house.drain();
    }
    assert_eq!(house.end(&run), ("failed", Some(Code::ModelUnavailable)));
    let failures = u32::try_from(house.model.asked().len()).unwrap() - 2;
    assert!(failures > 1, "it was tried again");
    let tokens_in = 100 + 20 * u64::from(failures);
    let all = Usage { model_calls: 1 + failures, tokens_in, tokens_out: 10 + u64::from(failures) };
    assert_eq!(usage(&house, &run), all);
    assert_eq!(spent(&house, &run).model_calls, all.model_calls);
    assert_eq!(since(&house, before).tokens, all.tokens_in + all.tokens_out);
    let entries = became(&house, &run);
    assert_eq!((entries.len(), entries[0].as_str()), (all.model_calls as usize, "110:answered"));
    assert!(entries[1..].iter().all(|one| one == "21:failed:model_unavailable"), "{entries:?}");
}

#[test]
fn an_answer_that_cannot_be_used_was_a_question_like_any_other() {
    let (house, before) = looked();
    house.model.then(says(" "));
    let run = house.prompt("are you there?", "r1");
    house.drain();
    assert_eq!(house.end(&run), ("failed", Some(Code::InvalidResponse)));
    assert_eq!(usage(&house, &run), Usage { model_calls: 1, tokens_in: 100, tokens_out: 10 });
    assert_eq!(became(&house, &run), ["110:failed:invalid_response"]);
    assert_eq!(since(&house, before).tokens, 110);
}

/// Speaks to an agent whose model does not answer its question after so many answers; meanwhile something
/// happens.
fn while_nobody_answers(
    house: &House,
    after: usize,
    what: impl FnOnce() + Send + 'static,
) -> RunKey {
    house.model.sticks(after);
    house.model.meanwhile(after, what);
    let run = house.prompt("add milk", "r1");
    house.drain();
    run
}

#[test]
fn a_question_that_was_stopped_counts_as_what_it_may_have_cost_and_the_next_attempt_knows_of_it() {
    let (house, before) = looked();
    let house = Arc::new(house);
    let paused = Arc::clone(&house);
    let pause = move || {
        wait(paused.runtime.fleet.agent_pause(paused.agent.as_str())).map(drop).unwrap();
    };
    let run = while_nobody_answers(&house, 0, pause);
    let stopped = at_most(&house, 1);
    let (tokens_in, tokens_out) = (stopped.input_tokens, stopped.output_tokens);
    assert_eq!(usage(&house, &run), Usage { model_calls: 1, tokens_in, tokens_out });
    assert_eq!(
        since(&house, before).tokens,
        stopped.total_tokens,
        "and not all that was set aside"
    );
    wait(house.runtime.fleet.agent_resume(house.agent.as_str())).unwrap();
    house.model.then(says("Here is the milk."));
    hours(&house, 1);
    assert_eq!(house.brief(&run), "Here is the milk.");
    assert_eq!(
        usage(&house, &run),
        Usage { model_calls: 2, tokens_in: tokens_in + 100, tokens_out: tokens_out + 10 }
    );
    let (of_turn, counted) = (spent(&house, &run), since(&house, before));
    assert_eq!((of_turn.model_calls, of_turn.tokens.total_tokens), (2, counted.tokens));
    assert_eq!(of_turn.cost_micros, counted.cost_micros);
    let entry = format!("{}:stopped", stopped.total_tokens);
    assert_eq!(became(&house, &run), [entry.as_str(), "110:answered"]);
}

#[test]
fn a_first_question_that_is_cancelled_costs_what_it_may_have_cost_and_no_more() {
    let (house, before) = looked();
    let (waker, agent) = (house.runtime.waker.clone(), house.agent.clone());
    let cancel = move || wait(waker.run_cancel(&agent, None)).map(drop).unwrap();
    let run = while_nobody_answers(&house, 0, cancel);
    assert_eq!(house.end(&run), ("failed", Some(Code::RunCancelled)));
    let stopped = at_most(&house, 1);
    let counted = since(&house, before);
    assert_eq!(counted.tokens, stopped.total_tokens, "and not all that was set aside");
    let (tokens_in, tokens_out) = (stopped.input_tokens, stopped.output_tokens);
    assert_eq!(usage(&house, &run), Usage { model_calls: 1, tokens_in, tokens_out });
    assert_eq!(spent(&house, &run).cost_micros, counted.cost_micros);
    assert_eq!(became(&house, &run), [format!("{}:stopped", stopped.total_tokens)]);
}

/// A model that is reached at the third attempt, of which the first two took something.
struct Restless(Arc<dyn Model>);

/// What one of them took.
const MISSED: TokenUsage = TokenUsage::of(20, 3);

impl Model for Restless {
    fn ask(&self, request: Request, listen: Arc<dyn Listen>) -> Asking {
        listen.heard(Heard::Restart { attempt: 2, taken: MISSED });
        listen.heard(Heard::Restart { attempt: 3, taken: MISSED.plus(MISSED) });
        self.0.ask(request, listen)
    }

    fn price(&self, model: &ModelRef) -> Option<Price> {
        self.0.price(model)
    }
}

#[test]
fn a_question_that_was_stopped_at_its_third_attempt_cost_what_the_others_took_and_may_have_cost_one_more()
 {
    let restless = |setup: &mut Setup| {
        setup.model = Arc::new(Restless(Arc::clone(&setup.model)));
    };
    let house = House::set_up(vec![says("First look.")], restless);
    house.drain();
    let before = house.account().spent;
    assert_eq!(before.tokens, 110, "what came says what it took");
    let (waker, agent) = (house.runtime.waker.clone(), house.agent.clone());
    let cancel = move || wait(waker.run_cancel(&agent, None)).map(drop).unwrap();
    let run = while_nobody_answers(&house, 0, cancel);
    let at_most = MISSED.plus(MISSED).plus(at_most(&house, 1));
    assert_eq!(since(&house, before).tokens, at_most.total_tokens);
    let (tokens_in, tokens_out) = (at_most.input_tokens, at_most.output_tokens);
    assert_eq!(usage(&house, &run), Usage { model_calls: 3, tokens_in, tokens_out });
    assert_eq!(became(&house, &run), [format!("{}:stopped", at_most.total_tokens)]);
}

/// A model that would try again, and hears after which attempts it might.
struct Eager {
    model: Arc<dyn Model>,
    taken: Vec<u64>,
    heard: Arc<Mutex<Vec<bool>>>,
}

impl Model for Eager {
    fn ask(&self, request: Request, listen: Arc<dyn Listen>) -> Asking {
        let may = |tokens: &u64| listen.may_try_again(TokenUsage::of(*tokens, 0));
        *self.heard.lock().unwrap() = self.taken.iter().map(may).collect();
        self.model.ask(request, listen)
    }

    fn price(&self, model: &ModelRef) -> Option<Price> {
        self.model.price(model)
    }
}

#[test]
fn another_attempt_is_made_only_if_the_day_has_room_for_it_beside_those_before() {
    let (house, before) = looked();
    house.model.then(says("Here is the milk."));
    house.prompt("add milk", "r1");
    house.drain();
    let room = before.tokens + at_most(&house, 1).total_tokens + 100;
    let heard = Arc::new(Mutex::new(vec![]));
    let eager = |setup: &mut Setup| {
        let (model, heard) = (Arc::clone(&setup.model), Arc::clone(&heard));
        setup.model = Arc::new(Eager { model, taken: vec![0, 100, 101], heard });
        setup.limits.tokens = Some(room);
    };
    let house = House::set_up(vec![says("First look."), says("Here is the milk.")], eager);
    house.drain();
    let run = house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(house.brief(&run), "Here is the milk.");
    assert_eq!(*heard.lock().unwrap(), [true, true, false]);
}

#[test]
fn a_process_that_is_told_to_stop_counts_the_question_that_is_cut_off() {
    let (house, before) = looked();
    house.model.sticks(0);
    let run = house.prompt("add milk", "r1");
    house.world.advance_ms(10_000);
    house.until_stuck();
    wait(house.runtime.waker.lay_down());
    let stopped = at_most(&house, 1);
    assert_eq!(since(&house, before).tokens, stopped.total_tokens);
    assert_eq!(usage(&house, &run).model_calls, 1);
    assert_eq!(became(&house, &run), [format!("{}:stopped", stopped.total_tokens)]);
}

#[test]
fn an_attempt_that_died_without_a_word_forfeits_what_was_set_aside() {
    let (house, before) = looked();
    let run = house.prompt("add milk", "r1");
    let house = house.dies(0);
    house.model.then(says("Here is the milk."));
    hours(&house, 1);
    assert_eq!(house.brief(&run), "Here is the milk.");
    assert_eq!(usage(&house, &run).model_calls, 1, "nobody knows of the other");
    assert_eq!(became(&house, &run), ["?:unknown", "110:answered"], "and the audit says so");
    let most = at_most(&house, 1).total_tokens;
    assert!(since(&house, before).tokens > most + 110, "all that was set aside is gone");
}

#[test]
fn answers_that_were_lost_with_their_attempt_count_and_so_do_their_calls() {
    let (house, before) = looked();
    let house = Arc::new(house);
    let paused = Arc::clone(&house);
    let pause = move || {
        wait(paused.runtime.fleet.agent_pause(paused.agent.as_str())).map(drop).unwrap();
    };
    let note = json!({ "notes": ["seen"] });
    house.model.then(asks(&[("n", "record_observations", note)]));
    // What only notes something is written with the next commit, and this one never comes.
    let run = while_nobody_answers(&house, 1, pause);
    assert!(house.turn(&run).is_none(), "nothing is on record");
    assert_eq!(usage(&house, &run).model_calls, 2);
    let entries = became(&house, &run);
    assert_eq!(entries[0], "110:lost");
    assert!(entries[1].ends_with(":stopped"), "{entries:?}");
    assert_eq!(since(&house, before).tool_calls, 1);
}
