//! What goes with every question, and what is kept of every answer.

use std::collections::BTreeMap;

use model::{Exchange, Failure, Generation, Response};
use runtime::{Chunk, Deployment, Known, Models, Setup};
use serde_json::json;
use store::wait;
use testkit::model::{Line, asks, fails, says};
use types::{
    AttemptOutcome, AttemptRecord, AttemptTimeline, BlockKind, FinishReason, ModelFailureKind,
    ModelRef, ProviderTerms, TokenUsage,
};

use crate::house::House;

fn model(name: &str) -> ModelRef {
    name.parse().unwrap()
}

/// Two models of one provider, of which this one is chosen.
fn choose(chosen: &'static str) -> impl FnOnce(&mut Setup) {
    move |setup| {
        let terms = ProviderTerms { provider: "local".to_owned(), ..ProviderTerms::default() };
        let models = [model("local/one"), model("local/two")];
        let providers = [("local".to_owned(), terms)].into();
        setup.known = Known { models: models.into(), providers };
        setup.models = Models {
            default: model(chosen),
            access: policy::inference::Access {
                models: setup.known.models.clone(),
                narrowed: vec![],
            },
            providers: setup.known.versions(),
            ..Models::default()
        };
    }
}

/// A timeline that says as much as one can who has no clock: who was asked, and that it was at once.
fn untimed() -> AttemptTimeline {
    let attempt = AttemptRecord {
        provider: "builtin".to_owned(),
        model_ref: "builtin/scribe".to_owned(),
        attempt: 1,
        max_attempts: 1,
        started_at: None,
        completed_at: None,
        duration_ms: None,
        failure_kind: None,
        disposition: None,
        outcome: AttemptOutcome::Succeeded,
        advanced_to_fallback: false,
        backoff_ms: None,
        token_usage: None,
        transport_diagnostics: None,
    };
    AttemptTimeline { attempts: vec![attempt], ..AttemptTimeline::default() }
}

/// The same answer, spoken in another way.
fn but(line: Line, change: impl FnOnce(&mut Response)) -> Line {
    let mut response = line.unwrap();
    change(&mut response);
    Ok(response)
}

#[test]
fn every_question_says_for_whom_of_which_template_and_in_which_category_it_is() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let add = house.item("buy milk");
    house.model.then(asks(&[("call-1", "add_multiple_checklist_items", add)]));
    house.model.then(says("I added it."));
    house.prompt("add buy milk", "r1");
    house.drain();
    let category = wait(house.runtime.journal.category_find("home")).unwrap().id;
    let asked = house.model.asked();
    assert_eq!(asked.len(), 3);
    for question in asked {
        assert_eq!((&question.agent, question.kind.as_str()), (&house.agent, "task_agent"));
        assert_eq!(question.category.as_ref().map(ToString::to_string), Some(category.to_string()));
    }
}

#[test]
fn nobody_but_the_operator_changes_the_model() {
    let house = House::set_up(vec![says("First look.")], choose("local/one"));
    for name in ["local/one", "local/two"] {
        wait(house.runtime.consent.grant(name, None)).unwrap();
    }
    house.drain();
    for kind in [
        ModelFailureKind::Connection,
        ModelFailureKind::RateLimited,
        ModelFailureKind::Authentication,
        ModelFailureKind::ContextLength,
    ] {
        house.model.then(fails(kind));
        house.prompt("status?", kind.as_str());
        for _ in 0..8 {
            house.world.advance_ms(3_600_000);
            house.drain();
        }
    }
    let asked = house.model.asked();
    assert!(asked.len() > 4, "{}", asked.len());
    assert!(asked.iter().all(|question| question.model == model("local/one")));
    // Now the operator does.
    let house = house.restarted(choose("local/two"));
    wait(house.runtime.fleet.agent_resume(house.agent.as_str())).ok();
    house.model.then(says("Here I am."));
    let run = house.prompt("status?", "again");
    house.drain();
    assert_eq!(house.brief(&run), "Here I am.");
    assert_eq!(house.model.asked().last().unwrap().model, model("local/two"));
}

#[test]
fn how_an_answer_was_to_be_made_and_when_it_was_is_kept_with_it() {
    let generation = Generation {
        temperature: Some(0.25),
        top_p: Some(0.5),
        max_output_tokens: 900,
        seed: Some(42),
        prompt_version: None,
    };
    let line = but(says("First look."), |answer| {
        answer.version = Some("scribe-2026-11".to_owned());
        answer.timeline = untimed();
    });
    let wanted = generation.clone();
    let house = House::set_up(vec![line], |setup| {
        let deployment = Deployment { generation, ..Deployment::default() };
        setup.models.deployments = BTreeMap::from([("builtin".to_owned(), deployment)]);
    });
    house.drain();
    let run = house.runs().remove(0).draft.run_key;
    let wanted = Generation { prompt_version: Some(1), ..wanted };
    assert_eq!(house.model.asked()[0].generation, wanted);
    let [round] = &house.rounds(&run)[..] else { panic!("there is one answer") };
    assert_eq!(round.generation, wanted);
    assert_eq!((&round.model, round.finish), (&ModelRef::scribe(), FinishReason::Stop));
    assert_eq!(round.model_version.as_deref(), Some("scribe-2026-11"));
    assert_eq!(round.token_usage, TokenUsage::of(100, 10));
    let only = &round.timeline.attempts[0];
    assert_eq!((only.started_at, only.completed_at), (Some(house.now()), Some(house.now())));
    assert_eq!(only.duration_ms, Some(0), "no time passes here while a model speaks");
}

#[test]
fn what_a_model_thinks_is_kept_with_its_answer_and_said_to_nobody() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let thinks = |answer: &mut Response| answer.reasoning = Some("murmur murmur".to_owned());
    let add = house.item("milk");
    house.model.then(but(asks(&[("a", "add_multiple_checklist_items", add)]), thinks));
    house.model.then(but(says("Added."), thinks));
    let run = house.prompt("add milk", "r1");
    house.drain();
    for round in house.rounds(&run) {
        assert_eq!(round.reasoning.as_deref(), Some("murmur murmur"));
        assert!(!round.text.contains("murmur"));
    }
    assert_eq!(house.brief(&run), "Added.");
    let mut live = house.runtime.turns.live().follow(run, None);
    let heard: Vec<Chunk> = std::iter::from_fn(|| live.try_next()).collect();
    assert!(!heard.is_empty() && !format!("{heard:?}").contains("murmur"), "{heard:?}");
    house.model.then(says("Still there."));
    house.prompt("is it?", "r2");
    house.drain();
    assert!(!format!("{:?}", house.model.asked()).contains("murmur"), "no model hears it again");
}

#[test]
fn what_a_provider_wants_back_goes_back_with_what_its_calls_came_to_and_to_nobody_later() {
    let kept = json!({ "reasoning_content": "murmur" });
    let lends = |answer: &mut Response| answer.keepsake = Some(kept.clone());
    for dies in [false, true] {
        let house = House::new(vec![says("First look.")]);
        house.drain();
        let add = house.item("milk");
        house.model.then(but(asks(&[("a", "add_multiple_checklist_items", add)]), lends));
        let run = house.prompt("add milk", "r1");
        let house = if dies { house.dies(1) } else { house };
        house.model.then(says("Added."));
        for _ in 0..3 {
            house.world.advance_ms(3_600_000);
            house.drain();
        }
        assert_eq!(house.brief(&run), "Added.");
        let Some(Exchange::Said { keepsake, .. }) =
            house.model.asked().pop().unwrap().said.into_iter().next()
        else {
            panic!("it has spoken");
        };
        assert_eq!(keepsake.as_ref(), Some(&kept), "also when its turn is taken up again");
        house.model.then(says("Still there."));
        house.prompt("is it?", "r2");
        house.drain();
        assert!(!format!("{:?}", house.model.asked().pop()).contains("murmur"));
    }
}

#[test]
fn every_question_of_a_turn_has_the_same_prompt_and_tools_and_all_that_was_said() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    for number in 0..3 {
        let arguments = house.item(&format!("item {number}"));
        let id = format!("call-{number}");
        house.model.then(asks(&[(&id, "add_multiple_checklist_items", arguments)]));
    }
    house.model.then(says("All added."));
    house.prompt("add three", "r1");
    house.drain();
    let asked = house.model.asked().split_off(1);
    assert_eq!(asked.len(), 4);
    for (round, question) in asked.iter().enumerate() {
        assert_eq!(question.prompt, asked[0].prompt);
        assert_eq!((&question.tools, &question.allowed), (&asked[0].tools, &None));
        assert!(question.prompt.iter().any(|block| block.kind == BlockKind::Policy));
        // Every round so far: what it said, and what it was answered.
        assert_eq!(question.said.len(), 2 * round);
        assert_eq!(question.said, asked[3].said[..2 * round]);
        for pair in question.said.chunks(2) {
            let [Exchange::Said { calls, .. }, Exchange::Answered { call, .. }] = pair else {
                panic!("{pair:?}");
            };
            assert_eq!(&calls[0].0, call);
        }
    }
}

#[test]
fn a_tools_answer_goes_back_to_the_model_no_longer_than_it_may() {
    let answered = |tokens: u64| {
        let first = vec![says("First look.")];
        let house = House::set_up(first, |setup| setup.tool_output_tokens = tokens);
        house.drain();
        let titles: Vec<_> = (0..20).map(|n| json!({ "title": format!("item {n}") })).collect();
        let add = json!({ "taskId": house.task, "items": titles });
        house.model.then(asks(&[("a", "add_multiple_checklist_items", add)]));
        house.model.then(says("Added."));
        house.prompt("add twenty", "r1");
        house.drain();
        assert_eq!(house.items().len(), 22, "what is done is not cut");
        match house.model.asked().pop().unwrap().said.pop() {
            Some(Exchange::Answered { text, .. }) => {
                serde_json::from_str::<serde_json::Value>(&text).unwrap()["payload"].clone()
            }
            other => panic!("{other:?}"),
        }
    };
    let (whole, cut) = (answered(8_000), answered(100));
    assert!(whole["digest"].is_null(), "{whole}");
    assert_eq!(cut["bytes"], whole.to_string().len());
    assert!(cut.to_string().len() <= 400, "{cut}");
}

#[test]
fn what_a_question_cost_is_counted_even_if_nothing_came_of_it() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let failure = fails(ModelFailureKind::InvalidResponse).unwrap_err();
    let cost = Some(TokenUsage::of(700, 50));
    let timeline = AttemptTimeline { aggregated_token_usage: cost, ..AttemptTimeline::default() };
    house.model.then(Err(Failure { timeline, ..failure }));
    house.prompt("add milk", "r1");
    house.drain();
    let day = rules::budget::day(house.now(), "UTC");
    let account = wait(house.runtime.store.account(house.agent.clone(), day)).unwrap();
    assert_eq!(account.spent.tokens, 110 + 750);
    assert_eq!(account.reserved, types::Amounts::default());
}
