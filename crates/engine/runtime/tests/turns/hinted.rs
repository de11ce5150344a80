//! What hints from outside say is read by the turn that is taken for them.

use ingress::HintDelivery;
use serde_json::{Value, json};
use store::wait;
use testkit::model::{fails, says};
use types::{BlockKind, Code, Domain, ModelFailureKind, Source, Trust, TurnState, Verdict};

use crate::house::House;

impl House {
    /// Somebody outside says "look", and maybe something else.
    fn hinted(&self, delivery: &str, payload: Option<&[u8]>) {
        let trigger = wait(self.runtime.ingress.trigger_ensure(&self.agent)).unwrap();
        let hint = HintDelivery {
            trigger,
            delivery: delivery.to_owned(),
            source: Some("forge".to_owned()),
            content_type: Some("application/json".to_owned()),
            payload: payload.map(<[u8]>::to_vec),
            correlation_id: None,
            causation_id: None,
        };
        wait(self.runtime.ingress.hint(hint)).unwrap();
    }
}

/// What the last prompt shows of hints.
fn shown(house: &House) -> Option<Value> {
    let text = house.block(house.model.asked().len() - 1, BlockKind::Hints)?;
    Some(serde_json::from_str(text.lines().nth(1).unwrap()).unwrap())
}

#[test]
fn a_turn_that_is_taken_for_what_a_hint_says_reads_it_as_evidence_and_is_exposed() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    assert_eq!(shown(&house), None);
    house.model.then(says("The build failed."));
    house.hinted("d1", None);
    house.hinted("d2", Some(b"{\"build\":7,\"ok\":false}"));
    house.drain();
    // Both were one look.
    let mut runs = house.runs().into_iter().map(|run| run.draft.run_key);
    let run = runs.find(|run| house.turn(run).is_some()).unwrap();
    assert_eq!(house.brief(&run), "The build failed.");
    let told = shown(&house).unwrap();
    assert_eq!(told[0]["text"], "{\"build\":7,\"ok\":false}");
    assert_eq!((&told[0]["count"], &told[0]["source"]), (&json!(2), &json!("forge")));
    assert_eq!(told[0]["trust"], "untrusted");
    let turn = house.turn(&run).unwrap();
    assert!(turn.exposed);
    let TurnState::Settled { brief, .. } = turn.state else { panic!("it is not over") };
    let said = wait(house.runtime.store.content(Domain::Agent, brief.content)).unwrap().unwrap();
    assert!(said.label.sources.contains(&Source::External), "{:?}", said.label);
    assert_eq!(said.label.trust, Trust::Untrusted);
    assert_eq!(house.verdict(&run, "prompt: hints"), Verdict::Verified);
    // It has been seen, and the next turn is not told of it.
    house.model.then(says("Nothing new."));
    house.prompt("and now?", "r1");
    house.drain();
    assert_eq!(shown(&house), None);
    assert_eq!(house.verdict(&run, "prompt: hints"), Verdict::Verified, "later too");
}

#[test]
fn a_turn_that_is_tried_again_still_has_what_its_hint_said() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(fails(ModelFailureKind::Connection));
    house.model.then(says("I see."));
    house.hinted("d1", Some("gr\u{fc}n \u{1F7E2}".as_bytes()));
    house.drain();
    let run = house.runs()[0].draft.run_key;
    assert_ne!(house.end(&run), ("done", None::<Code>));
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.brief(&run), "I see.");
    assert_eq!(shown(&house).unwrap()[0]["text"], "gr\u{fc}n \u{1F7E2}");
    assert!(house.turn(&run).unwrap().exposed);
}

#[test]
fn what_is_no_text_is_shown_as_far_as_it_can_be_read_and_a_hint_that_says_nothing_not_at_all() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(says("I cannot read it."));
    house.hinted("d1", Some(&[0, 255, b'a']));
    house.drain();
    assert_eq!(shown(&house).unwrap()[0]["text"], "\u{0}\u{fffd}a");
    house.model.then(says("Hello."));
    house.hinted("d2", None);
    house.prompt("hello", "r1");
    house.drain();
    assert_eq!(shown(&house), None, "that there was one is told, and there is no more to tell");
}
