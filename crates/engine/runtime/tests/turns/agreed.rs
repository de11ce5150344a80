//! What stands before a model and before a tool stands there every time, not only when a turn begins.

use policy::inference::Access;
use runtime::{Known, Models, Setup};
use serde_json::json;
use store::wait;
use testkit::model::{asks, says};
use types::{
    Author, Code, Commit, Domain, Lifecycle, ModelRef, Outcome, ProviderTerms, RunEnd, RunKey,
    RunState, limits,
};

use crate::house::House;

fn model() -> ModelRef {
    "local/test".parse().unwrap()
}

/// A home that asks `local/test`, whose provider is at this address.
fn at(base_url: &str) -> impl FnOnce(&mut Setup) {
    let terms = ProviderTerms {
        provider: "local".to_owned(),
        transport: "openai_chat_completions".to_owned(),
        base_url: base_url.to_owned(),
        ..ProviderTerms::default()
    };
    let known = Known { models: [model()].into(), providers: [("local".to_owned(), terms)].into() };
    let access = Access { models: [model()].into(), narrowed: vec![] };
    let models =
        Models { default: model(), access, providers: known.versions(), ..Models::default() };
    move |setup: &mut Setup| (setup.models, setup.known) = (models, known)
}

fn failed(house: &House, run: &RunKey) -> (Code, String) {
    let found = house.runs().into_iter().find(|one| one.draft.run_key == *run).unwrap();
    match found.state {
        RunState::Ended { end: RunEnd::Failed(failure), .. } => (failure.code, failure.message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn terms_that_changed_since_somebody_agreed_are_told_as_such() {
    let words = vec![says("I have looked."), says("Hm.")];
    let house = House::set_up(words, at("http://127.0.0.1:1/v1"));
    house.drain();
    let first = house.runs().pop().unwrap().draft.run_key;
    let (code, told) = failed(&house, &first);
    assert_eq!(code, Code::PrivacyConfirmationRequired);
    assert!(told.contains("nobody has agreed yet"), "{told}");
    wait(house.runtime.consent.grant("local/test", None)).unwrap();
    house.drain();
    let agreed = house.prompt("hello", "r1");
    house.drain();
    assert_eq!(house.brief(&agreed), "Hm.");
    let house = house.restarted(at("http://127.0.0.1:2/v1"));
    let changed = house.prompt("hello", "r2");
    house.drain();
    let (code, told) = failed(&house, &changed);
    assert_eq!(code, Code::PrivacyConfirmationRequired);
    assert!(told.contains("terms of local have changed since local/test was agreed to"), "{told}");
    assert!(house.brief(&changed).contains("dormouse consent grant local/test"));
    assert_eq!(house.model.asked().len(), 2, "nothing was sent");
}

#[test]
fn whoever_was_refused_looks_again_as_soon_as_somebody_agrees_and_once() {
    let house = House::set_up(vec![says("Hm.")], at("http://127.0.0.1:1/v1"));
    house.drain();
    assert_eq!(
        (house.runs().len(), house.model.asked().len()),
        (1, 0),
        "its first look is refused"
    );
    for _ in 0..2 {
        wait(house.runtime.consent.grant("local/test", None)).unwrap();
        house.drain();
        assert_eq!((house.runs().len(), house.model.asked().len()), (2, 1));
    }
    assert!(house.state().last_turn.unwrap().good.is_some(), "it has had its first look");
    wait(house.runtime.consent.revoke("local/test")).unwrap();
    wait(house.runtime.consent.grant("local/test", None)).unwrap();
    house.drain();
    assert_eq!(house.runs().len(), 2, "nobody was refused meanwhile");
}

#[test]
fn however_many_agents_are_younger_whoever_was_refused_looks_again() {
    let house = House::set_up(vec![says("Hm.")], at("http://127.0.0.1:1/v1"));
    house.drain();
    house.world.advance_ms(1);
    let store = &house.runtime.store;
    let one = wait(store.record(Domain::Agent, house.agent.clone().into())).unwrap().unwrap();
    let names = (0..=limits::ROWS_PER_READ_MAX).map(|n| format!("agent_younger{n}"));
    let writes = testkit::agents_like(&one, names, Lifecycle::Active);
    let commit = Commit::new(Domain::Agent, Author::Operator, house.now(), writes);
    assert!(matches!(wait(store.commit(commit)).unwrap(), Outcome::Applied(_)));
    wait(house.runtime.consent.grant("local/test", None)).unwrap();
    house.drain();
    assert_eq!((house.runs().len(), house.model.asked().len()), (2, 1));
}

#[test]
fn a_refusal_is_one_run_and_the_next_wake_makes_up_for_it() {
    let house = House::set_up(vec![says("Hm.")], at("http://127.0.0.1:1/v1"));
    let item = house.item_id("fill it");
    let check = |checked: bool| {
        let items = json!([{ "id": item, "checked": checked }]);
        house.does("update_checklist_items", json!({ "items": items }));
    };
    for (refused, checked) in [(1, true), (2, false), (3, true)] {
        house.drain();
        house.world.advance_ms(3_600_000);
        house.drain();
        assert_eq!(house.runs().len(), refused, "one for its first look, one for each change");
        check(checked);
    }
    wait(house.runtime.consent.grant("local/test", None)).unwrap();
    house.drain();
    let (runs, asked) = (house.runs().len(), house.model.asked().len());
    assert_eq!(
        (runs, asked),
        (5, 1),
        "the change and the consent both wake it, and one look is enough"
    );
    assert!(house.state().last_turn.unwrap().good.is_some(), "it has had its first look");
}

#[test]
fn what_is_taken_back_in_the_middle_of_a_turn_holds_for_its_next_question() {
    let house = House::set_up(vec![], at("http://127.0.0.1:1/v1"));
    wait(house.runtime.consent.grant("local/test", None)).unwrap();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(says("Done."));
    let consent = house.runtime.consent.clone();
    let revoke = move || drop(wait(consent.revoke("local/test")).unwrap());
    house.model.meanwhile(0, revoke);
    house.drain();
    let run = house.runs().pop().unwrap().draft.run_key;
    let (code, told) = failed(&house, &run);
    assert_eq!(code, Code::PrivacyConfirmationRequired);
    assert!(told.contains("taken back"), "{told}");
    assert_eq!(house.model.asked().len(), 1, "the second question was not asked");
    assert!(house.brief(&run).contains("stays done: one call of a tool"));
}

#[test]
fn a_question_that_is_under_way_is_given_up_when_what_was_agreed_to_is_taken_back() {
    let house = House::set_up(vec![], at("http://127.0.0.1:1/v1"));
    wait(house.runtime.consent.grant("local/test", None)).unwrap();
    house.model.sticks(0);
    let consent = house.runtime.consent.clone();
    house.model.meanwhile(0, move || drop(wait(consent.revoke("local/test")).unwrap()));
    house.drain();
    assert_eq!(house.model.still_listening(), 0, "nobody waits for the answer");
    house.world.advance_ms(600_000);
    house.drain();
    let run = house.runs().pop().unwrap().draft.run_key;
    let (code, told) = failed(&house, &run);
    assert_eq!(code, Code::PrivacyConfirmationRequired);
    assert!(told.contains("taken back"), "{told}");
    assert_eq!(house.model.asked().len(), 1, "it is not asked again");
    assert_eq!(house.account().reserved.tokens, 0);
    assert!(house.account().spent.tokens > 0, "what was asked for counts as spent");
}

#[test]
fn a_stop_while_the_model_answers_holds_for_the_calls_that_it_asks_for() {
    let house = House::set_up(vec![], at("http://127.0.0.1:1/v1"));
    wait(house.runtime.consent.grant("local/test", None)).unwrap();
    // Nothing of the stopped answer is kept, so it is asked for again.
    for _ in 0..2 {
        house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    }
    house.model.then(says("Done."));
    let fleet = house.runtime.fleet.clone();
    house.model.meanwhile(0, move || wait(fleet.kill_on()).unwrap());
    house.drain();
    assert_eq!(house.items(), ["fill it", "find the can"], "nothing was done");
    assert_eq!(house.model.asked().len(), 1);
    let stopped = house.runs().pop().unwrap();
    assert!(["queued", "started"].contains(&stopped.state.as_str()), "it is not lost");
    wait(house.runtime.fleet.kill_off()).unwrap();
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.items(), ["fill it", "find the can", "milk"], "and is taken up again, once");
}
