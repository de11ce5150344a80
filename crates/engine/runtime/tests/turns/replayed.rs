//! Past turns, gone through again.

use serde_json::json;
use store::wait;
use testkit::model::{asks, fails, says};
use types::{
    Author, Body, BudgetLimits, Code, Commit, Digest, Domain, Label, ModelFailureKind, Record,
    RecordDraft, ReplayedStep, RunKey, Verdict, Write,
};

use crate::house::{House, start};
use crate::prompts::second;
use crate::thrown_in::interrupted;

impl House {
    /// What came of each step of the turn of a run, by its name.
    fn replayed(&self, run: &RunKey) -> Vec<(String, Verdict)> {
        let steps = self.steps(run).into_iter();
        steps.map(|step| (step.step, step.verdict)).collect()
    }

    fn steps(&self, run: &RunKey) -> Vec<ReplayedStep> {
        wait(self.runtime.replay(self.agent.as_str(), Some(*run))).unwrap().steps
    }

    pub(crate) fn verdict(&self, run: &RunKey, step: &str) -> Verdict {
        let steps = self.replayed(run);
        let found = steps.iter().find(|(name, _)| name == step);
        found.unwrap_or_else(|| panic!("no {step} in {steps:?}")).1
    }

    /// Somebody erases the words that lie under a subject, while nobody has the home open.
    #[expect(
        clippy::disallowed_methods,
        reason = "erasing is not built yet: it goes around the store"
    )]
    fn without_words_of(self, subject: &str) -> House {
        let House { runtime, model, world, task, agent, home } = self;
        drop(runtime);
        let file = rusqlite::Connection::open(home.path().join("agent.db")).unwrap();
        file.execute("DELETE FROM contents WHERE subject = ?1", [subject]).unwrap();
        drop(file);
        let runtime = start(&home, &world, &model, BudgetLimits::default());
        House { runtime, model, world, task, agent, home }
    }

    /// Keeps words of the turn of a run.
    fn keep(&self, run: &RunKey, label: Label, bytes: Vec<u8>) -> types::ContentRef {
        let subject = rules::turn::id(run).into();
        let (write, at) = rules::content::keep(subject, label, bytes);
        let commit = Commit::new(Domain::Agent, Author::Runtime, self.now(), vec![write]);
        wait(self.runtime.store.commit(commit)).unwrap().done().unwrap();
        at
    }

    /// The model answered this instead.
    fn answered_instead(&self, run: &RunKey, number: u32, round: &types::Round) {
        let at = self.keep(run, Label::runtime(), serde_json::to_vec(round).unwrap());
        self.rewrite(rules::turn::round_id(run, number).into(), |body| {
            let Body::AgentMessage(message) = body else { panic!("a message") };
            message.content = at;
        });
    }

    /// The record that is called so is made another.
    fn rewrite(&self, id: types::RecordId, change: impl FnOnce(&mut Body)) {
        let record = wait(self.runtime.store.record(Domain::Agent, id)).unwrap();
        let Record { id, mut body, .. } = record.unwrap();
        change(&mut body);
        let draft = RecordDraft { id, body, deleted: false, created_at: None };
        let writes = vec![Write::Record(draft)];
        let commit = Commit::new(Domain::Agent, Author::Runtime, self.now(), writes);
        wait(self.runtime.store.commit(commit)).unwrap().done().unwrap();
    }
}

/// An agent was asked for milk, has put it on the list and said so.
fn with_milk() -> (House, RunKey) {
    let house = House::reported("All is well.");
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(says("Milk is there."));
    let run = house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(house.brief(&run), "Milk is there.");
    (house, run)
}

fn of(steps: &[(String, Verdict)], verdict: Verdict) -> Vec<&str> {
    let of_it = steps.iter().filter(|(_, one)| *one == verdict);
    of_it.map(|(name, _)| name.as_str()).collect()
}

#[test]
fn a_turn_is_gone_through_again_step_by_step_and_nothing_is_asked_done_or_written() {
    let (house, run) = with_milk();
    let asked = house.model.asked().len();
    let heads = |domain| wait(house.runtime.store.head(domain)).unwrap();
    let before = [Domain::Journal, Domain::Agent].map(heads);
    let steps = house.replayed(&run);
    let verified = [
        "contents",
        "wake",
        "words",
        "prompt: policy",
        "prompt: role",
        "prompt: task",
        "prompt: report",
        "prompt: wake",
        "prompt: input",
        "prompt",
        "tools",
        "question 1",
        "call 1.1: add_multiple_checklist_items",
        "question 2",
        "end",
        "closure",
        "spent",
    ];
    assert_eq!(of(&steps, Verdict::Verified), verified, "{steps:?}");
    assert_eq!(of(&steps, Verdict::Recorded), [""; 0], "{steps:?}");
    assert_eq!(house.model.asked().len(), asked, "nobody was asked");
    assert_eq!([Domain::Journal, Domain::Agent].map(heads), before, "nothing was written");
}

#[test]
fn what_has_changed_since_does_not_change_what_was() {
    let (house, run) = with_milk();
    let before = house.steps(&run);
    assert!(before.iter().all(|step| step.verdict == Verdict::Verified), "{before:?}");
    wait(house.runtime.undo(&run.to_string(), None)).unwrap();
    house.does("set_task_title", json!({ "taskId": house.task, "title": "Something else" }));
    house.model.then(says("I see."));
    house.drain();
    let house = house.restarted(|setup| setup.tool_output_tokens = 7);
    assert_eq!(house.steps(&run), before);
}

#[test]
fn a_prompt_is_put_together_again_though_everything_in_it_has_moved_on_since() {
    let house = House::reported("All is well.");
    let note = json!({ "notes": ["Ferns like shade."] });
    house.model.then(asks(&[("n", "record_observations", note)]));
    house.model.then(says("Noted."));
    let speak = |text: &str, request: &str| {
        house.world.advance_ms(1_000);
        let said = house.spoken(text, request, types::Priority::Normal);
        let said = runtime::Delivery { session: Some("talk".to_owned()), ..said };
        let run = wait(house.runtime.ingress.admit(said)).unwrap().run_key;
        house.drain();
        run
    };
    speak("ferns like shade", "r1");
    house.does("add_multiple_checklist_items", house.item("buy moss"));
    house.does("set_task_title", json!({ "taskId": house.task, "title": "Ferns" }));
    house.model.then(says("Three are open."));
    let run = speak("what is open?", "r2");
    let kinds = ["task", "report", "observations", "history", "delta", "wake", "input"];
    let all_are = |verdict| {
        for kind in kinds {
            let found = house.verdict(&run, &format!("prompt: {kind}"));
            assert_eq!(found, verdict, "{kind}: {:?}", house.steps(&run));
        }
    };
    all_are(Verdict::Verified);
    // Each of them moves on.
    let check = json!({ "items": [{ "id": house.item_id("fill it"), "checked": true }] });
    house.does("update_checklist_items", check);
    house.does("remove_checklist_items", json!({ "itemIds": [house.item_id("buy moss")] }));
    house.does("add_multiple_checklist_items", house.item("a new can"));
    let check = json!({ "items": [{ "id": house.item_id("a new can"), "checked": true }] });
    house.does("update_checklist_items", check);
    house.does("set_task_title", json!({ "taskId": house.task, "title": "Something else" }));
    let (report, note) = (json!({ "content": "Nothing is well.", "claims": [] }), "They hate it.");
    house.model.then(asks(&[
        ("r", "update_report", report),
        ("n", "record_observations", json!({ "notes": [note] })),
    ]));
    house.model.then(says("I see."));
    speak("look again", "r3");
    all_are(Verdict::Verified);
}

#[test]
fn a_look_follows_from_the_change_that_woke_it() {
    let house = House::reported("All is well.");
    let check = json!({ "items": [{ "id": house.item_id("fill it"), "checked": true }] });
    house.does("update_checklist_items", check);
    house.model.then(says("It is filled."));
    house.drain();
    let run = house.runs()[0].draft.run_key;
    assert_eq!(house.verdict(&run, "wake"), Verdict::Verified);
    assert_eq!(house.verdict(&run, "prompt: delta"), Verdict::Verified);
    // One who claims that another change did is found out.
    let mut other = house.runs().remove(0);
    other.draft.logical_change_key = Some(Digest::ZERO);
    let agent = wait(house.runtime.fleet.agent_get(house.agent.as_str())).unwrap().identity;
    let steps = wait(house.runtime.turns.replay(other, &agent)).unwrap().unwrap();
    let wake = steps.iter().find(|step| step.step == "wake").unwrap();
    assert_eq!(wake.verdict, Verdict::Differs);
}

#[test]
fn a_turn_that_died_and_was_taken_up_again_is_one_turn() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(says("Milk is there."));
    let run = house.prompt("add milk", "r1");
    let house = house.dies(1);
    house.model.then(says("Milk is there."));
    house.world.advance_ms(600_000);
    house.drain();
    let steps = house.replayed(&run);
    assert_eq!(of(&steps, Verdict::Differs), [""; 0]);
    assert_eq!(house.verdict(&run, "question 2"), Verdict::Verified);
    assert_eq!(house.verdict(&run, "end"), Verdict::Verified);
}

#[test]
fn what_was_thrown_in_is_heard_again() {
    let house = House::new(vec![says("First look.")]);
    let (run, _) = interrupted(&house);
    assert_eq!(house.round(&run, 1).interjected.len(), 1);
    assert_eq!(house.verdict(&run, "question 2"), Verdict::Verified);
}

#[test]
fn a_call_that_was_denied_is_denied_again_unless_it_went_by_the_moment() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[
        ("a", "fly_to_the_moon", json!({})),
        ("b", "add_multiple_checklist_items", json!({ "items": 7 })),
        ("c", "set_task_title", json!({ "taskId": house.task, "title": "Mine" })),
    ]));
    house.model.then(says("I could not."));
    let run = house.prompt("go on", "r1");
    wait(house.runtime.fleet.tools_stop(types::Capability::TaskWrite)).unwrap();
    house.drain();
    let detail = |step: &str| {
        let steps = house.steps(&run).into_iter();
        steps.filter(|one| one.step == step).map(|one| (one.verdict, one.detail)).next().unwrap()
    };
    let (verdict, why) = detail("call 1.1: fly_to_the_moon");
    assert_eq!((verdict, why.as_str()), (Verdict::Verified, "denied again by the rule registry"));
    let (verdict, why) = detail("call 1.2: add_multiple_checklist_items");
    assert_eq!((verdict, why.as_str()), (Verdict::Verified, "denied again by the rule schema"));
    let (verdict, why) = detail("call 1.3: set_task_title");
    assert_eq!(verdict, Verdict::Recorded, "{why}");
    assert!(why.contains("tool_class"), "{why}");
    assert_eq!(house.verdict(&run, "question 2"), Verdict::Verified);
}

#[test]
fn a_turn_that_went_in_circles_does_so_again_and_what_failed_is_not_tried() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[("a", "fly_to_the_moon", json!({}))]));
    let run = house.prompt("fly", "r1");
    house.drain();
    assert_eq!(house.end(&run), ("failed", Some(Code::NoProgress)));
    assert_eq!(house.verdict(&run, "end"), Verdict::Verified);
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(fails(ModelFailureKind::Authentication));
    let run = house.prompt("add milk", "r1");
    house.drain();
    let steps = house.steps(&run);
    let end = steps.iter().find(|step| step.step == "end").unwrap();
    assert_eq!(end.verdict, Verdict::Recorded);
    assert!(end.detail.starts_with("provider_refused"), "{}", end.detail);
}

#[test]
fn what_another_version_of_the_template_made_is_recorded_and_the_rest_verified() {
    let (house, run) = with_milk();
    let house = house.restarted(second);
    for step in ["prompt: role", "tools"] {
        assert_eq!(house.verdict(&run, step), Verdict::Recorded, "{step}");
    }
    for step in ["prompt: policy", "prompt: input", "question 1", "question 2", "end"] {
        assert_eq!(house.verdict(&run, step), Verdict::Verified, "{step}");
    }
    assert_eq!(of(&house.replayed(&run), Verdict::Differs), [""; 0]);
    // Nor is a turn gone through by a program that does not know how it was taken.
    house.rewrite(rules::turn::id(&run).into(), |body| {
        let Body::AgentTurn(turn) = body else { panic!("a turn") };
        turn.version = 99;
    });
    let steps = house.steps(&run);
    assert_eq!(steps.len(), 1);
    assert!(steps[0].detail.contains("version 99"), "{steps:?}");
    assert_eq!(steps[0].verdict, Verdict::Recorded);
}

#[test]
fn whoever_changes_what_was_recorded_is_found_out() {
    // What the model answered first: then it was asked otherwise the second time.
    let (house, run) = with_milk();
    let text = "I shall put bread on it.".to_owned();
    house.answered_instead(&run, 0, &types::Round { text, ..house.round(&run, 0) });
    assert_eq!(of(&house.replayed(&run), Verdict::Differs), ["question 2"]);
    // What was said to the operator.
    let (house, run) = with_milk();
    let at = house.keep(&run, Label::runtime(), b"Bread is there.".to_vec());
    house.rewrite(rules::turn::id(&run).into(), |body| {
        let Body::AgentTurn(turn) = body else { panic!("a turn") };
        let types::TurnState::Settled { brief, spent, .. } = &mut turn.state else { panic!() };
        brief.content = at;
        spent.cost_micros += 1;
    });
    assert_eq!(of(&house.replayed(&run), Verdict::Differs), ["end", "spent"]);
}

#[test]
fn what_an_earlier_version_left_without_marks_is_recorded_and_nothing_differs() {
    let (house, run) = with_milk();
    // Neither the prompt nor the answers said what they say today.
    for number in 0..2 {
        let round = types::Round { asked: None, ..house.round(&run, number) };
        house.answered_instead(&run, number, &round);
    }
    let kept = house.turn(&run).unwrap().prompt.words.unwrap();
    let kept = wait(house.runtime.store.content(Domain::Agent, kept)).unwrap().unwrap();
    let mut parts: types::PromptParts = serde_json::from_slice(&kept.bytes).unwrap();
    parts.frame = None;
    let at = house.keep(&run, kept.label, serde_json::to_vec(&parts).unwrap());
    house.rewrite(rules::turn::id(&run).into(), |body| {
        let Body::AgentTurn(turn) = body else { panic!("a turn") };
        turn.prompt.words = Some(at);
    });
    let steps = house.replayed(&run);
    assert_eq!(of(&steps, Verdict::Differs), [""; 0], "{:?}", house.steps(&run));
    for step in ["question 1", "question 2", "tools", "call 1.1: add_multiple_checklist_items"] {
        assert_eq!(house.verdict(&run, step), Verdict::Recorded, "{step}");
    }
    for step in ["end", "closure", "spent"] {
        assert_eq!(house.verdict(&run, step), Verdict::Verified, "{step}");
    }
}

#[test]
fn a_call_that_was_made_again_later_in_the_turn_is_recorded_as_of_then() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let title = json!({ "taskId": house.task, "title": "Mine" });
    house.model.then(asks(&[("a", "set_task_title", title.clone())]));
    house.model.then(asks(&[("b", "set_task_title", title)]));
    house.model.then(says("Done."));
    wait(house.runtime.fleet.tools_stop(types::Capability::TaskWrite)).unwrap();
    let fleet = house.runtime.fleet.clone();
    // It is denied the first time and allowed the second, under one name.
    house.model.meanwhile(1, move || {
        wait(fleet.tools_allow(types::Capability::TaskWrite)).unwrap();
    });
    let run = house.prompt("call it mine", "r1");
    house.drain();
    assert_eq!(house.brief(&run), "Done.");
    let (first, second) = (house.round(&run, 0), house.round(&run, 1));
    assert_eq!(first.calls[0].operation, second.calls[0].operation);
    let asked = house.model.asked();
    let last = asked.last().unwrap().said.last().unwrap();
    let model::Exchange::Answered { text, .. } = last else { panic!("an answer: {last:?}") };
    assert!(!text.contains("repeated"), "it is done for the first time: {text}");
    assert_eq!(of(&house.replayed(&run), Verdict::Differs), [""; 0], "{:?}", house.steps(&run));
    assert_eq!(house.verdict(&run, "call 1.1: set_task_title"), Verdict::Recorded);
    assert_eq!(house.verdict(&run, "call 2.1: set_task_title"), Verdict::Verified);
    assert_eq!(house.verdict(&run, "question 2"), Verdict::Recorded);
}

#[test]
fn what_was_erased_is_said_to_be() {
    let (house, run) = with_milk();
    let house = house.without_words_of(rules::turn::id(&run).as_str());
    let steps = house.replayed(&run);
    let call = "call 1.1: add_multiple_checklist_items";
    assert_eq!(of(&steps, Verdict::Erased), ["prompt", "answer 1", "end"], "{steps:?}");
    assert_eq!(of(&steps, Verdict::Differs), [""; 0], "{steps:?}");
    assert!(steps.iter().all(|(step, _)| step != call), "nobody knows that it was asked for");
}

#[test]
fn the_last_turn_is_meant_if_none_is_named_and_a_run_without_one_is_no_turn() {
    let (house, run) = with_milk();
    let last = wait(house.runtime.replay(house.agent.as_str(), None)).unwrap();
    assert_eq!((last.run, last.verdict()), (run, Verdict::Verified));
    let other = house.prompt("later", "r2");
    for key in [other, RunKey(Digest::ZERO)] {
        let problem = wait(house.runtime.replay(house.agent.as_str(), Some(key))).unwrap_err();
        assert_eq!(problem.code, Code::UnknownRecord);
        assert!(problem.hint.contains("dormouse runs"), "{}", problem.hint);
    }
}
