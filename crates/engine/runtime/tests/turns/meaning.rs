//! A fast model that is asked what somebody means, where one is configured.

use policy::inference::Access;
use runtime::{Delivery, Models, Setup};
use store::wait;
use testkit::model::{Line, asks, fails, says};
use types::{
    BlockKind, BudgetLimits, Code, DialogAct, ModelFailureKind, ModelRef, Priority, RunKey,
    TurnState, Usage, Verdict, limits,
};

use crate::budgets::first_question;
use crate::house::House;

fn fast() -> ModelRef {
    "builtin/other".parse().unwrap()
}

fn with_fast(setup: &mut Setup) {
    let models = [ModelRef::scribe(), fast()].into();
    let access = Access { models, narrowed: vec![] };
    setup.models = Models { access, fast: Some(fast()), ..Models::default() };
}

/// A house whose agent has had its first look, and what else is said then.
fn then(lines: Vec<Line>) -> House {
    let house = House::set_up(vec![says("First look.")], with_fast);
    house.drain();
    lines.into_iter().for_each(|line| house.model.then(line));
    house
}

/// Its process dies over the question after so many answers, and another one takes the home up.
fn dies(house: House, after: usize) -> House {
    house.model.sticks(after);
    house.world.advance_ms(600_000);
    house.until_stuck();
    house.restarted(with_fast)
}

impl House {
    /// Who was asked since the first look.
    fn asked_since(&self) -> Vec<ModelRef> {
        self.model.asked().into_iter().skip(1).map(|request| request.model).collect()
    }

    fn meant(&self, run: &RunKey) -> Option<DialogAct> {
        self.turn(run).unwrap().dialog_act
    }

    fn usage(&self, run: &RunKey) -> Usage {
        wait(self.runtime.store.run(*run)).unwrap().unwrap().usage
    }

    /// What the audit says of questions to the fast model.
    fn entries(&self) -> Vec<String> {
        let about = |(action, _, detail): (String, String, String)| {
            let rest = detail.strip_prefix("builtin/other:")?.to_owned();
            action.starts_with("model.").then(|| format!("{action} {rest}"))
        };
        self.audited().into_iter().filter_map(about).collect()
    }
}

#[test]
fn it_is_asked_before_the_turn_with_the_words_and_nothing_else_and_is_followed() {
    let house = then(vec![says("Accept."), says("Good.")]);
    let run = house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(house.asked_since(), [fast(), ModelRef::scribe()]);
    let asked = house.model.asked().swap_remove(1);
    let kinds: Vec<BlockKind> = asked.prompt.iter().map(|block| block.kind).collect();
    assert_eq!(kinds, [BlockKind::Policy, BlockKind::Input]);
    assert!(asked.prompt[1].text.contains("add milk"));
    assert!(asked.tools.is_empty() && asked.said.is_empty());
    assert!(asked.generation.max_output_tokens <= limits::MEANING_TOKENS);
    assert_eq!(house.meant(&run), Some(DialogAct::Accept), "rules would call it a request");
    assert_eq!(house.brief(&run), "Good.");
    let twice = Usage { model_calls: 2, tokens_in: 200, tokens_out: 20 };
    assert_eq!(house.usage(&run), twice, "it counts as any other question");
    assert_eq!(house.entries(), ["model.call 110:answered"]);
    assert_eq!(house.verdict(&run, "meaning"), Verdict::Verified);
    assert_eq!(house.verdict(&run, "spent"), Verdict::Verified);
}

#[test]
fn who_wakes_by_itself_is_asked_nothing_of_the_kind() {
    let house = then(vec![]);
    let first = house.runs().pop().unwrap().draft.run_key;
    assert_eq!(house.model.asked().len(), 1);
    assert_eq!(house.model.asked()[0].model, ModelRef::scribe());
    let turn = house.turn(&first).unwrap();
    assert_eq!((turn.dialog_act, turn.classified), (None, None));
}

#[test]
fn words_for_a_model_that_was_chosen_are_sent_to_no_other() {
    let house = then(vec![says("Good.")]);
    let chosen = house.spoken("add milk", "r1", Priority::Normal);
    let chosen = Delivery { model: Some(ModelRef::scribe()), ..chosen };
    let run = wait(house.runtime.ingress.admit(chosen)).unwrap().run_key;
    house.drain();
    assert_eq!(house.asked_since(), [ModelRef::scribe()]);
    assert_eq!((house.meant(&run), house.brief(&run)), (Some(DialogAct::Request), "Good.".into()));
    assert_eq!(house.verdict(&run, "words"), Verdict::Verified);
}

#[test]
fn what_is_not_clear_is_asked_once_more_and_then_rules_say_it() {
    let house = then(vec![says("It depends."), says("Hard to say."), says("Fine.")]);
    let run = house.prompt("No, never mind", "r1");
    house.drain();
    assert_eq!(house.asked_since(), [fast(), fast(), ModelRef::scribe()]);
    assert_eq!(house.meant(&run), Some(DialogAct::Reject));
    let classified = house.turn(&run).unwrap().classified.unwrap();
    assert_eq!((classified.act, classified.took.model_calls), (None, 2));
    assert_eq!(house.usage(&run).model_calls, 3);
    assert_eq!(house.verdict(&run, "meaning"), Verdict::Verified);
    assert_eq!(house.verdict(&run, "words"), Verdict::Verified);
    let calls = asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]);
    let house = then(vec![calls, says("request"), says("Fine.")]);
    let run = house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(house.meant(&run), Some(DialogAct::Request));
    assert!(!house.items().contains(&"milk".to_owned()), "it has no tools to call");
}

#[test]
fn one_that_cannot_be_reached_or_may_not_be_asked_keeps_nobody_waiting() {
    let house = then(vec![fails(ModelFailureKind::Timeout), says("Fine.")]);
    let run = house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(
        (house.brief(&run).as_str(), house.meant(&run)),
        ("Fine.", Some(DialogAct::Request))
    );
    assert_eq!(house.entries(), ["model.call 0:failed:model_unavailable"]);
    assert_eq!(house.usage(&run).model_calls, 2);
    let not_allowed = |setup: &mut Setup| {
        with_fast(setup);
        setup.models.access.models.remove(&fast());
    };
    let house = House::set_up(vec![says("Fine.")], not_allowed);
    house.drain();
    let run = house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(house.asked_since(), [ModelRef::scribe()]);
    assert_eq!(house.meant(&run), Some(DialogAct::Request));
    assert_eq!(house.turn(&run).unwrap().classified, None);
    assert_eq!(house.entries(), ["model.deny model_not_allowed"]);
}

#[test]
fn nobody_is_asked_what_was_meant_by_words_that_there_is_no_budget_to_answer() {
    let limited = |tokens| {
        let limits = BudgetLimits { tokens: Some(tokens), ..BudgetLimits::default() };
        let house = House::set_up(vec![says("First look."), says("inform")], |setup| {
            with_fast(setup);
            setup.limits = limits;
        });
        house.drain();
        let run = house.prompt("what is open?", "r1");
        house.drain();
        (house.asked_since(), house.end(&run).1)
    };
    assert_eq!(limited(50_000), (vec![fast(), ModelRef::scribe()], None));
    // There is room for a word of the fast model, and none for an answer.
    assert_eq!(limited(first_question()), (vec![], Some(Code::BudgetExceeded)));
}

#[test]
fn a_turn_that_is_taken_up_again_knows_what_was_meant_if_it_has_recorded_it() {
    let add = |house: &House| asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]);
    // It dies over its second question: what was meant lies with the first answer.
    let house = then(vec![says("accept")]);
    house.model.then(add(&house));
    house.model.then(says("Milk is there."));
    let run = house.prompt("add milk", "r1");
    let house = dies(house, 2);
    house.model.then(says("Milk is there."));
    house.world.advance_ms(600_000);
    house.drain();
    let once = house.asked_since().into_iter().filter(|model| *model == fast()).count();
    assert_eq!((once, house.meant(&run)), (1, Some(DialogAct::Accept)));
    assert_eq!(house.entries(), ["model.call 110:answered"]);
    assert_eq!(house.verdict(&run, "spent"), Verdict::Verified);
    // It dies over its first: nothing is known, and it is asked anew.
    let house = then(vec![says("accept")]);
    let run = house.prompt("add milk", "r1");
    let house = dies(house, 1);
    house.model.then(says("inform"));
    house.model.then(says("Thanks."));
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(
        (house.meant(&run), house.brief(&run).as_str()),
        (Some(DialogAct::Inform), "Thanks.")
    );
    let reserved = house.account().reserved;
    assert_eq!(reserved, types::Amounts::default(), "what was set aside is settled");
}

#[test]
fn a_stop_while_it_is_asked_ends_the_turn_and_what_it_took_is_counted_once() {
    let house = then(vec![]);
    let before = house.account().spent.tokens;
    let run = house.prompt("add milk", "r1");
    house.model.sticks(0);
    let (waker, agent) = (house.runtime.waker.clone(), house.agent.clone());
    house.model.meanwhile(0, move || wait(waker.run_cancel(&agent, None)).map(drop).unwrap());
    house.drain();
    assert_eq!(house.end(&run).0, "failed");
    assert_eq!(house.asked_since(), [fast()], "nobody else was asked");
    let TurnState::Settled { spent, .. } = house.turn(&run).unwrap().state else {
        panic!("it is not over");
    };
    assert_eq!(spent.model_calls, 1);
    assert_eq!(house.account().spent.tokens - before, spent.tokens.total_tokens);
    assert_eq!(house.account().reserved, types::Amounts::default());
    let entries = house.entries();
    assert!(entries.len() == 1 && entries[0].ends_with(":stopped"), "{entries:?}");
}
