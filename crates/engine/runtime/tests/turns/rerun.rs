//! Past runs that are run once more, and models that are asked this once.

use policy::inference::Access;
use runtime::{Delivery, Models, RunAgain, Setup, Woken};
use store::wait;
use testkit::model::{asks, fails, says};
use types::{Code, DeliverySurface, Domain, ModelFailureKind, ModelRef, Priority, Problem, RunKey};

use crate::house::House;

pub(crate) fn other() -> ModelRef {
    "builtin/other".parse().unwrap()
}

/// A home in which another model may be asked besides the usual one.
pub(crate) fn with_two_models(setup: &mut Setup) {
    let usual = ModelRef::scribe();
    let access = Access { models: [usual, other()].into(), narrowed: vec![] };
    setup.models = Models { access, ..Models::default() };
}

impl House {
    fn again(&self, run: RunKey, model: Option<ModelRef>, request: &str) -> Result<Woken, Problem> {
        let (agent, request) = (self.agent.to_string(), request.to_owned());
        let surface = DeliverySurface::CliPrompt;
        wait(self.runtime.run_again(RunAgain { agent, run, model, request, surface }))
    }

    /// Says something that another model is to be asked about, this once.
    pub(crate) fn asks_other(&self, text: &str, request: &str) -> RunKey {
        let delivery = self.spoken(text, request, Priority::Normal);
        let delivery = Delivery { model: Some(other()), ..delivery };
        wait(self.runtime.ingress.admit(delivery)).unwrap().run_key
    }

    /// Who was asked, each time.
    fn models_asked(&self) -> Vec<ModelRef> {
        self.model.asked().into_iter().map(|request| request.model).collect()
    }
}

/// An agent was asked for milk, has put it on the list and said so.
fn with_milk() -> (House, RunKey) {
    let house = House::set_up(vec![says("First look.")], with_two_models);
    house.drain();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(says("Milk is there."));
    let run = house.prompt("add milk", "r1");
    house.drain();
    (house, run)
}

#[test]
fn what_was_said_is_said_again_in_its_session_and_is_a_run_of_its_own() {
    let (house, run) = with_milk();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("more milk"))]));
    house.model.then(says("More milk is there."));
    let again = house.again(run, None, "r2").unwrap();
    assert!(!again.again && again.run_key != run);
    assert_eq!(house.again(run, None, "r2").unwrap(), Woken { again: true, ..again });
    house.drain();
    assert_eq!(house.brief(&again.run_key), "More milk is there.");
    assert_eq!(house.brief(&run), "Milk is there.", "what was stays");
    let (was, is) = (house.turn(&run).unwrap(), house.turn(&again.run_key).unwrap());
    assert_eq!((&is.thread, is.dialog_act), (&was.thread, was.dialog_act));
    let done = |run| wait(house.runtime.store.operations_of_run(Domain::Journal, run)).unwrap();
    assert_eq!((done(run).len(), done(again.run_key).len()), (1, 1));
}

#[test]
fn the_operator_may_have_another_model_asked_this_once() {
    let (house, run) = with_milk();
    house.model.then(says("There is milk already."));
    let again = house.again(run, Some(other()), "r2").unwrap().run_key;
    house.drain();
    assert_eq!(house.models_asked().last(), Some(&other()));
    assert_eq!(house.turn(&again).unwrap().model, other());
    // Whoever has not spoken looks again, with that model too, and once.
    let first = house.runs().pop().unwrap().draft.run_key;
    house.model.then(says("All is well."));
    house.again(first, Some(other()), "r3").unwrap();
    house.drain();
    assert_eq!(house.models_asked().last(), Some(&other()));
    house.model.then(says("Yes."));
    house.prompt("all well?", "r4");
    house.drain();
    assert_eq!(house.models_asked().last(), Some(&ModelRef::scribe()));
}

#[test]
fn a_model_that_may_not_be_asked_is_not_asked_because_the_operator_names_it() {
    let (house, run) = with_milk();
    let asked = house.models_asked().len();
    let never = Some("builtin/never".parse().unwrap());
    let again = house.again(run, never, "r2").unwrap().run_key;
    house.drain();
    assert_eq!(house.end(&again), ("failed", Some(Code::ModelNotAllowed)));
    assert_eq!(house.models_asked().len(), asked);
    // Nor has anybody else a say in which is.
    let mut delivery = house.spoken("psst", "d1", Priority::Normal);
    delivery.origin = types::EnvelopeOrigin::Channel { channel_id: "chat".into(), sender_id: None };
    delivery.kind = types::EnvelopeKind::ChannelEvent;
    delivery.surface = DeliverySurface::HttpPublicEnqueue;
    let run = wait(house.runtime.ingress.admit(Delivery { model: Some(other()), ..delivery }));
    house.model.then(says("Who is there?"));
    house.drain();
    assert_eq!(house.turn(&run.unwrap().run_key).unwrap().model, ModelRef::scribe());
}

#[test]
fn a_turn_that_died_is_taken_up_with_the_model_that_was_chosen() {
    let (house, run) = with_milk();
    let again = house.again(run, Some(other()), "r2").unwrap().run_key;
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("tea"))]));
    let house = house.dies(1).restarted(with_two_models);
    house.model.then(says("Tea is there."));
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.brief(&again), "Tea is there.");
    assert_eq!(house.models_asked().last(), Some(&other()));
}

#[test]
fn words_for_another_model_are_not_thrown_into_a_turn_under_way() {
    let (house, _) = with_milk();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("tea"))]));
    house.model.then(says("Tea is there."));
    house.model.then(says("And bread."));
    let delivery = house.spoken("and bread", "r3", Priority::Interject);
    let delivery = Delivery { model: Some(other()), ..delivery };
    let ingress = house.runtime.ingress.clone();
    house.model.meanwhile(0, move || wait(ingress.admit(delivery)).map(drop).unwrap());
    let run = house.prompt("add tea", "r2");
    house.drain();
    assert_eq!(house.brief(&run), "Tea is there.");
    assert!(house.rounds(&run).iter().all(|round| round.interjected.is_empty()));
    assert_eq!(house.models_asked().last(), Some(&other()), "it had a turn of its own");
}

#[test]
fn what_is_not_over_or_not_the_operators_is_not_run_again() {
    let (house, run) = with_milk();
    let heard = house.hear("Buy my things", "d1");
    let open = house.again(heard, None, "r2").unwrap_err();
    assert_eq!(open.code, Code::Conflict);
    house.model.then(says("No, thanks."));
    house.drain();
    let foreign = house.again(heard, None, "r2").unwrap_err();
    assert_eq!(foreign.code, Code::NotAdmissible);
    let unknown = house.again(RunKey(types::Digest::ZERO), None, "r2").unwrap_err();
    assert_eq!(unknown.code, Code::UnknownRecord);
    wait(house.runtime.fleet.agent_pause(house.agent.as_str())).unwrap();
    assert_eq!(house.again(run, None, "r2").unwrap_err().code, Code::AgentStopped);
}

#[test]
fn how_another_model_does_is_not_counted_for_or_against_the_agent() {
    let (house, run) = with_milk();
    house.model.then(fails(ModelFailureKind::Authentication));
    let again = house.again(run, Some(other()), "r2").unwrap().run_key;
    house.drain();
    assert_eq!(house.end(&again), ("failed", Some(Code::ProviderRefused)));
    assert_eq!((house.state().consecutive_failure_count, house.state().next_wake_at), (0, None));
    // Its own failure stays counted, whatever another model does.
    house.model.then(fails(ModelFailureKind::Authentication));
    house.prompt("and tea", "r3");
    house.drain();
    let own = house.state();
    assert_eq!(own.consecutive_failure_count, 1);
    house.model.then(says("There is milk already."));
    house.again(run, Some(other()), "r4").unwrap();
    house.drain();
    assert_eq!(house.state().consecutive_failure_count, 1);
}

#[test]
fn a_change_is_not_looked_at_by_a_model_that_was_chosen_for_other_words() {
    let (house, run) = with_milk();
    let never = Some("builtin/never".parse().unwrap());
    house.again(run, never, "r2").unwrap();
    let title = serde_json::json!({ "taskId": house.task, "title": "Something else" });
    house.does("set_task_title", title);
    wait(house.runtime.waker.match_changes()).unwrap();
    let asked = house.models_asked().len();
    house.model.then(says("I see."));
    house.drain();
    assert_eq!(house.models_asked()[asked..], [ModelRef::scribe()], "the change was looked at");
}
