//! What agents may spend: most of it gone is told once, all of it gone stops them until the next day.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dispatch::Body as _;
use model::{Asking, Listen, Model, Price, Request, Response};
use runtime::Setup;
use serde_json::json;
use store::wait;
use testkit::model::{Line, asks, fails, says};
use types::{
    BudgetLimits, Code, ModelFailureKind, ModelRef, RunEnd, RunFailure, RunKey, RunState,
    TokenUsage, TurnState,
};

use crate::house::House;
use crate::rerun::{other, with_two_models};

const DAY_MS: i64 = 86_400_000;

/// The first answer of a day crosses this line.
fn watched(setup: &mut Setup) {
    setup.limits = BudgetLimits { tokens: Some(100_000), ..BudgetLimits::default() };
    setup.warn_at_percent = 0;
}

fn warning(house: &House, run: &RunKey) -> Option<String> {
    match house.turn(run).unwrap().state {
        TurnState::Settled { warning, .. } => warning,
        TurnState::Open => None,
    }
}

fn code(house: &House, run: &RunKey) -> Option<Code> {
    let found = house.runs().into_iter().find(|one| one.draft.run_key == *run).unwrap();
    match found.state {
        RunState::Ended { end: RunEnd::Failed(failure), .. } => Some(failure.code),
        _ => None,
    }
}

#[test]
fn that_most_of_a_budget_is_spent_is_told_once_a_day() {
    let limits = BudgetLimits { tokens: Some(10_000), ..BudgetLimits::default() };
    let house = House::set_up(vec![says("Hm.")], |setup| {
        (setup.limits, setup.warn_at_percent) = (limits, 2);
    });
    house.drain();
    assert!(house.told("budget_near").is_empty(), "one per cent is not worth a word");
    let crosses = house.prompt("one", "r1");
    house.drain();
    let told = "2 % of the tokens of this day are spent";
    assert_eq!(warning(&house, &crosses).as_deref(), Some(told));
    let after = house.prompt("two", "r2");
    house.drain();
    assert_eq!((warning(&house, &after), code(&house, &after)), (None, None), "it only warns");
    let events = house.told("budget_near");
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!((&events[0]["what"], &events[0]["percent"]), (&"tokens".into(), &2.into()));
    let near = house.audited().into_iter().filter(|(action, ..)| action == "budget.near");
    let near: Vec<_> = near.map(|(_, subject, detail)| (subject, detail)).collect();
    let day = events[0]["day"].as_str().unwrap();
    assert_eq!(near, [(house.agent.to_string(), format!("tokens:{day}"))]);
    house.world.advance_ms(DAY_MS);
    for request in ["r3", "r4", "r5"] {
        house.prompt("three", request);
        house.drain();
    }
    assert_eq!(house.told("budget_near").len(), 2, "once more on the next day");
}

#[test]
fn a_warning_is_neither_lost_nor_doubled_by_a_process_that_dies() {
    let house = House::set_up(vec![], watched);
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(fails(ModelFailureKind::Connection));
    house.model.then(says("Done."));
    // The answer that crosses the line is settled, and then there is nobody to end the turn.
    house.drain();
    assert_eq!(house.items(), ["fill it", "find the can", "milk"]);
    assert!(house.told("budget_near").is_empty(), "it is told when the turn ends");
    let house = house.restarted(watched);
    for request in ["r1", "r2"] {
        house.world.advance_ms(600_000);
        house.prompt("go on", request);
        house.drain();
        assert_eq!(house.told("budget_near").len(), 1, "after {request}");
    }
}

/// One call of a tool a day.
const ONE_CALL: BudgetLimits =
    BudgetLimits { tokens: None, cost_micros: None, tool_calls: Some(1), runtime_ms: None };

/// A home whose agent may make one call of a tool a day, and the run that asked for two.
fn spent_out() -> (House, RunKey) {
    let house = House::limited(vec![says("First look.")], ONE_CALL);
    house.drain();
    for (id, title) in [("a", "milk"), ("b", "bread")] {
        house.model.then(asks(&[(id, "add_multiple_checklist_items", house.item(title))]));
    }
    let over = house.prompt("add milk and bread", "r1");
    house.drain();
    (house, over)
}

#[test]
fn what_goes_beyond_a_budget_is_refused_audited_and_free_again_on_the_next_day() {
    let (house, over) = spent_out();
    assert_eq!(code(&house, &over), Some(Code::BudgetExceeded), "in the middle of a turn");
    house.model.then(asks(&[("c", "add_multiple_checklist_items", house.item("butter"))]));
    let refused = house.prompt("and butter", "r2");
    house.drain();
    assert_eq!(code(&house, &refused), Some(Code::BudgetExceeded));
    assert_eq!(house.items(), ["fill it", "find the can", "milk"]);
    // The entry names the turn, since there was no call of a tool, and the reason as a code.
    let turn = rules::turn::id(&refused).to_string();
    let entry =
        house.audited().into_iter().rfind(|(action, ..)| action == "runtime_error").unwrap();
    let detail: serde_json::Value = serde_json::from_str(&entry.2).unwrap();
    assert_eq!((entry.1, &detail["kind"]), (turn, &"budget_exceeded".into()));
    assert_eq!(detail["limit"], "tool_calls_per_day");
    house.world.advance_ms(DAY_MS);
    house.model.then(says("Good morning."));
    house.drain();
    house.model.then(asks(&[("d", "add_multiple_checklist_items", house.item("butter"))]));
    house.model.then(says("Butter is there."));
    let next_day = house.prompt("and now?", "r3");
    house.drain();
    assert_eq!(code(&house, &next_day), None, "a new day is a new budget");
}

#[test]
fn an_agent_without_a_budget_is_not_worn_out_and_looks_by_itself_on_the_next_day() {
    let (house, _) = spent_out();
    let asked = house.model.asked().len();
    let item = house.item_id("find the can");
    for checked in [true, false, true, false, true, false, true] {
        let items = json!({ "items": [{ "id": item, "checked": checked }] });
        house.does("update_checklist_items", items);
        house.drain();
    }
    assert_eq!(house.model.asked().len(), asked, "nobody is asked on this day any more");
    assert_eq!(house.state().consecutive_failure_count, 0, "that is no failure of its");
    let agent = wait(house.runtime.fleet.agent_get(house.agent.as_str())).unwrap();
    assert_eq!(agent.identity.lifecycle, types::Lifecycle::Active);
    let runs = house.runs();
    let house = house.restarted(|setup| setup.limits = ONE_CALL);
    house.drain();
    assert_eq!(house.runs(), runs, "not at the next start");
    house.world.advance_ms(DAY_MS);
    house.model.then(says("I have seen it."));
    house.drain();
    assert_eq!(house.model.asked().len(), asked + 1, "it looks once at all that has changed");
}

#[test]
fn calls_beyond_what_is_left_of_a_day_are_not_made_at_all() {
    let limits = BudgetLimits { tool_calls: Some(2), ..BudgetLimits::default() };
    let house = House::limited(vec![says("First look.")], limits);
    house.drain();
    let add = |id, title| (id, "add_multiple_checklist_items", house.item(title));
    house.model.then(asks(&[add("a", "milk"), add("b", "bread"), add("c", "butter")]));
    let run = house.prompt("add all of it", "r1");
    house.drain();
    assert_eq!(code(&house, &run), Some(Code::BudgetExceeded));
    assert_eq!(house.items(), ["fill it", "find the can"]);
    assert_eq!(house.account().spent.tool_calls, 0);
}

#[test]
fn a_provider_that_does_not_say_what_was_spent_has_spent_something() {
    let quiet =
        |text: &str| says(text).map(|said| Response { usage: TokenUsage::default(), ..said });
    let house = House::new(vec![quiet("I have looked at all of it.")]);
    house.drain();
    let run = house.runs().remove(0).draft.run_key;
    let prompt = u64::try_from(house.prompt_bytes(0) / 4).unwrap();
    let spent = house.account().spent;
    assert!(spent.tokens >= prompt && spent.cost_micros > 0, "{spent:?}, a prompt of {prompt}");
    let TurnState::Settled { spent: of_turn, .. } = house.turn(&run).unwrap().state else {
        panic!("it came to its end");
    };
    assert_eq!(of_turn.tokens.total_tokens, spent.tokens);
}

#[test]
fn what_was_counted_for_such_a_provider_counts_also_when_the_turn_is_taken_up_again() {
    let quiet = |line: Line| line.map(|said| Response { usage: TokenUsage::default(), ..said });
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let before = house.account().spent;
    let add = asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]);
    house.model.then(quiet(add));
    house.model.then(fails(ModelFailureKind::Timeout));
    house.model.then(quiet(says("Milk is there.")));
    let run = house.prompt("add milk", "r1");
    for _ in 0..3 {
        house.drain();
        house.world.advance_ms(600_000);
    }
    let TurnState::Settled { spent: of_turn, .. } = house.turn(&run).unwrap().state else {
        panic!("it came to its end");
    };
    let spent = house.account().spent.less(before);
    assert_eq!((of_turn.tokens.total_tokens, of_turn.model_calls), (spent.tokens, 3));
    assert_eq!(of_turn.cost_micros, spent.cost_micros);
}

#[test]
fn calls_of_a_turn_that_is_tried_again_count_once_and_its_time_counts() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let before = house.account().spent;
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    for _ in 0..2 {
        house.model.then(fails(ModelFailureKind::Timeout));
    }
    house.model.then(says("Done at last."));
    let run = house.prompt("add milk", "r1");
    for _ in 0..6 {
        house.world.advance_ms(600_000);
        house.drain();
    }
    assert_eq!(house.brief(&run), "Done at last.");
    assert_eq!(house.account().spent.less(before).tool_calls, 1);
}

/// A house whose model asks for two calls in one answer and is not heard after that, and the run.
fn after_a_group() -> (House, RunKey) {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let add = |id, title| (id, "add_multiple_checklist_items", house.item(title));
    house.model.then(asks(&[add("a", "milk"), add("b", "bread")]));
    let run = house.prompt("add milk and bread", "r1");
    (house, run)
}

#[test]
fn calls_of_a_process_that_died_after_them_count_also_if_nobody_takes_the_turn_up_again() {
    let (house, run) = after_a_group();
    let house = house.dies(1);
    let account = house.account();
    assert_eq!((account.spent.tool_calls, account.reserved.tool_calls), (0, 2), "set aside");
    wait(house.runtime.waker.run_cancel(&house.agent, Some(&run.to_string()))).unwrap();
    let account = house.account();
    assert_eq!((account.spent.tool_calls, account.reserved.tool_calls), (2, 0));
}

#[test]
fn calls_of_a_process_that_died_after_them_count_once_if_the_turn_is_taken_up_again() {
    let (house, run) = after_a_group();
    let house = house.dies(1).dies(0);
    house.model.then(asks(&[("c", "add_multiple_checklist_items", house.item("salt"))]));
    house.model.then(says("All of it is there."));
    for _ in 0..3 {
        house.world.advance_ms(600_000);
        house.drain();
    }
    assert_eq!(house.brief(&run), "All of it is there.");
    let account = house.account();
    assert_eq!((account.spent.tool_calls, account.reserved.tool_calls), (3, 0));
}

#[test]
fn calls_of_a_turn_that_is_stopped_after_them_count_once_whether_it_is_taken_up_again_or_not() {
    for cancelled in [true, false] {
        let (house, run) = after_a_group();
        let (runtime, agent) = (house.runtime.clone(), house.agent.clone());
        house.model.sticks(1);
        house.model.meanwhile(1, move || match cancelled {
            true => wait(runtime.waker.run_cancel(&agent, None)).map(drop).unwrap(),
            false => wait(runtime.fleet.agent_pause(agent.as_str())).map(drop).unwrap(),
        });
        house.drain();
        assert_eq!(house.account().spent.tool_calls, 2, "cancelled: {cancelled}");
        if !cancelled {
            wait(house.runtime.fleet.agent_resume(house.agent.as_str())).unwrap();
            house.model.then(says("Both are there."));
            house.world.advance_ms(600_000);
            house.drain();
            assert_eq!(house.brief(&run), "Both are there.");
        }
        let account = house.account();
        assert_eq!((account.spent.tool_calls, account.reserved.tool_calls), (2, 0));
    }
}

/// Speaks to an agent that is paused as soon as the run has begun, before it has asked anybody.
fn stopped_at_once(house: &House) -> RunKey {
    let run = house.prompt("add milk", "r1");
    house.world.advance_ms(10_000);
    let paused = Arc::new(AtomicBool::new(false));
    let (runtime, agent, done) = (house.runtime.clone(), house.agent.clone(), Arc::clone(&paused));
    house.world.meanwhile(move || {
        let begun = wait(runtime.store.run(run)).unwrap().unwrap().state.as_str() == "started";
        if begun {
            wait(runtime.fleet.agent_pause(agent.as_str())).unwrap();
            done.store(true, Ordering::Relaxed);
        }
        begun
    });
    wait(house.runtime.waker.drain()).unwrap();
    assert!(paused.load(Ordering::Relaxed), "it has begun");
    assert_eq!(house.model.asked().len(), 1, "nobody was asked since the first look");
    run
}

#[test]
fn what_was_set_aside_by_a_run_that_asked_nobody_is_not_spent() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let before = house.account().spent;
    let run = stopped_at_once(&house);
    wait(house.runtime.fleet.agent_resume(house.agent.as_str())).unwrap();
    house.world.advance_ms(600_000);
    house.drain();
    let TurnState::Settled { spent, .. } = house.turn(&run).unwrap().state else {
        panic!("it came to its end");
    };
    let account = house.account();
    assert_eq!(
        account.spent.less(before).tokens,
        spent.tokens.total_tokens,
        "one call and no more"
    );
    assert_eq!(account.reserved.tokens, 0);

    let house = House::new(vec![says("First look.")]);
    house.drain();
    let before = house.account().spent;
    let run = stopped_at_once(&house);
    // A first look at it came to nothing, because the run moved meanwhile.
    let waiting = house.runs().into_iter().find(|one| one.draft.run_key == run).unwrap();
    let why = RunFailure { code: Code::RunCancelled, message: "it was cancelled".to_owned() };
    drop(wait(house.runtime.turns.give_up(waiting, why)));
    wait(house.runtime.waker.run_cancel(&house.agent, Some(&run.to_string()))).unwrap();
    assert_eq!(code(&house, &run), Some(Code::RunCancelled));
    let account = house.account();
    assert_eq!((account.spent.tokens, account.reserved.tokens), (before.tokens, 0));
}

#[test]
fn a_turn_that_goes_well_after_a_budget_was_raised_lets_looks_go_that_waited_for_tomorrow() {
    let limits = BudgetLimits { tokens: Some(10), ..BudgetLimits::default() };
    let house = House::limited(vec![], limits);
    house.drain();
    assert_eq!(house.model.asked().len(), 0, "there is nothing to spend");
    house.does("add_multiple_checklist_items", house.item("moss"));
    let house = house.restarted(|setup| setup.limits = BudgetLimits::default());
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.model.asked().len(), 0, "what waits for tomorrow does");
    house.model.then(says("Yes."));
    house.prompt("are you there?", "r1");
    house.drain();
    house.model.then(says("I see moss."));
    house.does("add_multiple_checklist_items", house.item("ivy"));
    for _ in 0..3 {
        house.world.advance_ms(600_000);
        house.drain();
    }
    assert_eq!(house.model.asked().len(), 2, "and not any more");
}

#[test]
fn another_model_that_does_well_in_between_leaves_it_to_the_usual_one_to_let_looks_go() {
    let limits = BudgetLimits { tokens: Some(10), ..BudgetLimits::default() };
    let two_models = move |limits: BudgetLimits| {
        move |setup: &mut Setup| {
            with_two_models(setup);
            setup.limits = limits;
        }
    };
    let house = House::set_up(vec![], two_models(limits));
    house.drain();
    assert_eq!(house.model.asked().len(), 0, "there is nothing to spend, and the look waits");
    let house = house.restarted(two_models(BudgetLimits::default()));
    house.model.then(says("Here."));
    house.asks_other("are you there?", "r1");
    house.drain();
    house.model.then(says("Here as well."));
    house.prompt("and you?", "r2");
    house.drain();
    let asked = house.model.asked().len();
    assert_eq!(asked, 2);
    house.model.then(says("I see moss."));
    house.does("add_multiple_checklist_items", house.item("moss"));
    for _ in 0..3 {
        house.world.advance_ms(600_000);
        house.drain();
    }
    assert_eq!(house.model.asked().len(), asked + 1);
}

/// A model of which another costs something.
struct Dear(Arc<dyn Model>);

impl Model for Dear {
    fn ask(&self, request: Request, listen: Arc<dyn Listen>) -> Asking {
        self.0.ask(request, listen)
    }

    fn price(&self, model: &ModelRef) -> Option<Price> {
        (*model == other()).then_some(Price { input_micros: 0, output_micros: 1_000_000 })
    }
}

#[test]
fn a_choice_that_is_too_dear_leaves_the_usual_model_its_looks() {
    let setup = |setup: &mut Setup| {
        with_two_models(setup);
        setup.model = Arc::new(Dear(Arc::clone(&setup.model)));
        setup.limits = BudgetLimits { cost_micros: Some(1), ..BudgetLimits::default() };
    };
    let house = House::set_up(vec![says("First look.")], setup);
    house.drain();
    let run = house.asks_other("are you there?", "r1");
    house.drain();
    assert_eq!(house.end(&run), ("failed", Some(Code::BudgetExceeded)));
    house.model.then(says("I see moss."));
    house.does("add_multiple_checklist_items", house.item("moss"));
    for _ in 0..3 {
        house.world.advance_ms(600_000);
        house.drain();
    }
    assert_eq!(house.model.asked().len(), 2, "it looks today");
}

#[test]
fn looks_that_a_budget_still_denies_are_not_let_go_by_a_turn_that_needs_none_of_it() {
    let limits = BudgetLimits { tool_calls: Some(1), ..BudgetLimits::default() };
    let house = House::limited(vec![], limits);
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(asks(&[("b", "add_multiple_checklist_items", house.item("bread"))]));
    house.drain();
    let asked = house.model.asked().len();
    assert_eq!((asked, house.items().len()), (2, 3), "one call is all it may make");
    house.model.then(says("Yes."));
    house.prompt("are you there?", "r1");
    for _ in 0..3 {
        house.drain();
        house.world.advance_ms(600_000);
    }
    assert_eq!(house.model.asked().len(), asked + 1, "the look waits for tomorrow");
}

#[test]
fn a_run_that_is_given_up_says_what_its_answers_took() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let before = house.account().spent.tokens;
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    let run = house.prompt("add milk", "r1");
    let house = house.dies(1);
    let name = run.to_string();
    wait(house.runtime.waker.run_cancel(&house.agent, Some(&name))).unwrap();
    let took = house.round(&run, 0).token_usage;
    assert!(took.total_tokens > 0);
    let found = wait(house.runtime.store.run(run)).unwrap().unwrap();
    let usage = (found.usage.model_calls, found.usage.tokens_in, found.usage.tokens_out);
    assert_eq!(usage, (1, took.input_tokens, took.output_tokens));
    let Some(TurnState::Settled { spent, .. }) = house.turn(&run).map(|turn| turn.state) else {
        panic!("it is over");
    };
    assert_eq!((spent.model_calls, spent.tokens), (1, took));
    assert!(house.account().spent.tokens >= before + took.total_tokens, "and it was counted");
    assert_eq!(house.told("turn_settled").last().unwrap()["tokens"], took.total_tokens);
}
