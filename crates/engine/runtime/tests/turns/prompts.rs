//! Prompts have versions.

use runtime::{Setup, Template, Templates};
use store::wait;
use testkit::model::{asks, fails, says};
use types::{
    Author, BlockKind, Code, Commit, Domain, ModelFailureKind, PromptParts, PromptRef, RecordDraft,
    RunKey, Stability, Turn, Write,
};

use crate::house::{House, start_with};

/// What stays the same in the prompt of each version, and which tools are offered with it. Whoever changes
/// a word raises the version of the template and writes a new line; no line is ever changed.
const WORDS: [(&str, u32, &str); 1] =
    [("task_agent", 1, "dcb8971ef6027c54ec218d8dddb1f6838cdef533fa828d849fd1e22f0da64282")];

/// The built-in task agent, with some of its text replaced.
pub(crate) fn changed(from: &str, to: &str) -> Templates {
    let text = Templates::builtin().find("task_agent").unwrap().text.replace(from, to);
    let own = Template::parse(Some("mine.toml"), &text).unwrap();
    Templates::builtin().with(vec![own]).unwrap()
}

pub(crate) fn second(setup: &mut Setup) {
    let text = changed("version = 1", "version = 2").find("task_agent").unwrap().text.clone();
    let text = text.replace("You tend one task", "Now you tend one task");
    let own = Template::parse(Some("mine.toml"), &text).unwrap();
    setup.templates = Templates::builtin().with(vec![own]).unwrap();
}

#[test]
fn the_words_of_a_prompt_change_only_with_its_version() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let asked = house.model.asked().remove(0);
    let turn = house.turn(&house.runs()[0].draft.run_key).unwrap();
    let stable = asked.prompt.iter().filter(|block| block.stability == Stability::Stable);
    let words = stable.map(|block| block.text.as_str());
    let offered = house.prompt_of(&turn).tools;
    let tools = offered.iter().map(String::as_str);
    let digest = rules::hash::fields(words.chain(tools)).to_string();
    let known = WORDS
        .iter()
        .find(|(id, version, _)| (*id, *version) == (&turn.prompt.id, turn.prompt.version));
    assert_eq!(known.map(|(_, _, digest)| *digest), Some(digest.as_str()));
}

#[test]
fn a_turn_ends_under_the_prompt_that_it_began_with() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let add = house.item("milk");
    house.model.then(asks(&[("a", "add_multiple_checklist_items", add)]));
    house.model.then(fails(ModelFailureKind::Connection));
    house.model.then(says("Done."));
    let run = house.prompt("add milk", "r1");
    house.drain();
    // Meanwhile somebody writes another version of its template.
    let house = house.restarted(second);
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.brief(&run), "Done.");
    let turn = house.turn(&run).unwrap();
    assert_eq!((turn.prompt.version, turn.rounds), (1, 2));
    let versions: Vec<_> =
        house.rounds(&run).iter().map(|round| round.generation.prompt_version).collect();
    assert_eq!(versions, [Some(1), Some(1)]);
    let role = |asked: usize| house.block(asked, BlockKind::Role).unwrap();
    assert_eq!(role(3), role(1));
    house.model.then(says("As you like."));
    let next = house.prompt("thank you", "r2");
    house.drain();
    assert_eq!(house.turn(&next).unwrap().prompt.version, 2);
    assert!(role(4).starts_with("Now you tend one task"));
}

/// A house whose process died when the model had asked for milk, before that was done.
fn dies_over_milk() -> (House, RunKey) {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    let run = house.prompt("add milk", "r1");
    (house.dies(1), run)
}

/// The turn of a run after somebody has rewritten what it keeps of its prompt, and how it names that.
fn rewritten(
    house: &House,
    run: &RunKey,
    rewrite: impl FnOnce(&mut PromptRef, &[u8]) -> Vec<u8>,
) -> Turn {
    let mut turn = house.turn(run).unwrap();
    let at = turn.prompt.words.clone().unwrap();
    let kept = wait(house.runtime.store.content(Domain::Agent, at)).unwrap().unwrap();
    let bytes = rewrite(&mut turn.prompt, &kept.bytes);
    let (words, at) = rules::content::keep(kept.subject, kept.label, bytes);
    turn.prompt.words = Some(at);
    let record = RecordDraft::live(rules::turn::id(run), turn.clone());
    let writes = vec![words, Write::Record(record)];
    let commit = Commit::new(Domain::Agent, Author::Runtime, house.now(), writes);
    wait(house.runtime.store.commit(commit)).unwrap();
    turn
}

#[test]
fn a_prompt_with_a_field_that_is_not_on_the_list_is_not_sent() {
    let (house, run) = dies_over_milk();
    // The prompt that the turn is taken up with has got a field that nobody puts into one.
    rewritten(&house, &run, |_, kept| {
        let said = String::from_utf8(kept.to_vec()).unwrap();
        let stray = said.replacen(r#"\"authority\":"#, r#"\"rating\":5,\"authority\":"#, 1);
        assert_ne!(stray, said);
        stray.into_bytes()
    });
    let asked = house.model.asked().len();
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.end(&run), ("failed", Some(Code::OversharedPayloadBlocked)));
    assert!(house.brief(&run).contains("input.rating"), "{}", house.brief(&run));
    assert_eq!(house.model.asked().len(), asked, "nobody was asked");
}

#[test]
fn a_turn_that_an_earlier_version_began_is_taken_up_with_the_prompt_that_it_names() {
    let (house, run) = dies_over_milk();
    let before = house.prompt_of(&house.turn(&run).unwrap());
    // A record of this version says where the parts of its prompt lie; it used to name them itself.
    let turn = rewritten(&house, &run, |prompt, kept| {
        let parts: PromptParts = serde_json::from_slice(kept).unwrap();
        (prompt.blocks, prompt.tools) = (parts.blocks, parts.tools);
        serde_json::to_vec(&parts.words).unwrap()
    });
    let now = house.prompt_of(&turn);
    assert_eq!((now.blocks, now.tools), (before.blocks, before.tools));
    house.model.then(says("Done."));
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.brief(&run), "Done.");
    let asked = house.model.asked();
    assert_eq!(asked[asked.len() - 1].prompt, asked[asked.len() - 2].prompt, "word by word");
}

#[test]
fn a_template_that_names_a_tool_it_cannot_have_is_refused_with_its_line() {
    let house = House::new(vec![]);
    let House { runtime, model, world, home, .. } = house;
    drop(runtime);
    for (from, to, line, said) in [
        ("\"set_task_title\"", "\"fly_to_the_moon\"", 20, "there is no tool fly_to_the_moon"),
        ("\"checklistWrite\", ", "", 17, "add_multiple_checklist_items needs checklistWrite"),
    ] {
        let refused =
            start_with(&home, &world, &model, |setup| setup.templates = changed(from, to));
        let problem = refused.err().unwrap();
        assert_eq!(problem.code.as_str(), "bad_config");
        let place = format!("mine.toml, line {line}: {said}");
        assert!(problem.message.starts_with(&place), "{}", problem.message);
    }
}
