//! Old messages are summarised, stay as they are, and nothing is forgotten without a summary.

use context::compaction::{Bounds, EXTRACTOR, Earlier, Plan, Raw, extract, plan};
use proptest::prelude::*;
use types::{
    AgentId, ContentRef, Digest, Label, Message, MessageId, MessageKind, SummarySpan, ThreadId,
    Trust,
};

use crate::given::{Given, at, from_outside, of_model};
use crate::parts::body;

struct Notebook {
    notes: Vec<(MessageId, Message, String, Label)>,
    latest: Option<(SummarySpan, String, Label)>,
}

fn message(kind: MessageKind) -> Message {
    let agent: AgentId = "agent_a".parse().unwrap();
    let content = ContentRef { subject: "agent_a".parse().unwrap(), hash: Digest::ZERO };
    Message::of(agent, ThreadId::from_stored("agent_a:run:x".to_owned()), kind, content)
}

impl Notebook {
    fn of(texts: impl IntoIterator<Item = String>) -> Notebook {
        let note = |(n, text): (usize, String)| {
            let id = format!("message_{n:06}").parse().unwrap();
            (id, message(MessageKind::Observation), text, of_model())
        };
        Notebook { notes: texts.into_iter().enumerate().map(note).collect(), latest: None }
    }

    fn plan(&self, bounds: &Bounds) -> Option<Plan> {
        let raws: Vec<Raw<'_>> = self
            .notes
            .iter()
            .map(|(id, message, text, label)| Raw { id, message, text, label })
            .collect();
        let latest = self.latest.as_ref();
        let latest = latest.map(|(span, text, label)| Earlier { span, text, label });
        plan(&raws, latest.as_ref(), bounds)
    }

    /// Carries plans out until there is nothing to do, and says how many there were.
    fn compact(&mut self, bounds: &Bounds) -> u32 {
        let mut count = 0;
        while let Some(plan) = self.plan(bounds) {
            let text = extract(&plan);
            let Plan { start, end, depth, label, .. } = plan;
            let made_by = EXTRACTOR.to_owned();
            let span = SummarySpan { start, end, depth, made_by, content_hash: Digest::ZERO };
            self.latest = Some((span, text, label));
            count += 1;
        }
        count
    }

    /// The notes that no summary covers.
    fn open(&self) -> &[(MessageId, Message, String, Label)] {
        let Some((span, ..)) = &self.latest else { return &self.notes };
        let end = self.notes.iter().position(|(id, ..)| *id == span.end).unwrap();
        &self.notes[end + 1..]
    }
}

const SMALL: Bounds = Bounds { count: 10, tokens: 1_000, span: 4, summary: 300 };

#[test]
fn nothing_is_summarised_while_all_of_it_has_room() {
    assert_eq!(Notebook::of(vec![]).plan(&SMALL), None);
    assert_eq!(Notebook::of(vec!["A note.".to_owned(); 10]).plan(&SMALL), None);
    assert_eq!(Notebook::of(vec!["long ".repeat(9_000)]).plan(&SMALL), None, "one stays as it is");
}

#[test]
fn too_many_messages_or_too_many_tokens_make_a_plan_over_the_oldest_span() {
    let many = Notebook::of((0..11).map(|n| format!("Note {n}."))).plan(&SMALL).unwrap();
    assert_eq!((many.start.as_str(), many.end.as_str()), ("message_000000", "message_000003"));
    assert_eq!((many.depth, &many.earlier), (1, &None));
    assert_eq!(many.covered, ["Note 0.", "Note 1.", "Note 2.", "Note 3."]);
    let long = Notebook::of(vec!["long ".repeat(500); 3]).plan(&SMALL).unwrap();
    assert_eq!(long.end.as_str(), "message_000001", "the newest stays");
}

#[test]
fn a_summary_takes_in_the_one_before_it_and_is_deeper() {
    let mut notebook = Notebook::of((0..11).map(|n| format!("Note {n}.")));
    assert_eq!(notebook.compact(&SMALL), 1);
    let (first, words, _) = notebook.latest.clone().unwrap();
    assert_eq!(words, "- Note 0.\n- Note 1.\n- Note 2.\n- Note 3.");
    for n in 11..16 {
        let id = format!("message_{n:06}").parse().unwrap();
        let text = format!("Note {n}.");
        notebook.notes.push((id, message(MessageKind::Observation), text, from_outside()));
    }
    let plan = notebook.plan(&SMALL).unwrap();
    assert_eq!((&plan.start, plan.depth), (&first.start, first.depth + 1));
    assert_eq!((plan.end.as_str(), plan.earlier.as_deref()), ("message_000007", Some(&*words)));
}

#[test]
fn a_summary_is_no_more_trusted_than_the_least_of_what_it_covers() {
    let mut notebook = Notebook::of(vec!["x.".to_owned(); 11]);
    for note in &mut notebook.notes {
        note.3 = Label::operator();
    }
    assert_eq!(notebook.plan(&SMALL).unwrap().label, Label::operator());
    notebook.notes[2].3 = from_outside();
    let label = notebook.plan(&SMALL).unwrap().label;
    assert_eq!(label, Label::operator().join(&from_outside()));
    assert_eq!(label.trust, Trust::Untrusted);
}

#[test]
fn summaries_among_the_messages_are_not_summarised_as_if_they_were_raw() {
    let mut notebook = Notebook::of((0..11).map(|n| format!("Note {n}.")));
    notebook.notes[0].1.kind = MessageKind::Summary;
    assert_eq!(notebook.plan(&SMALL), None);
}

#[test]
fn word_of_failures_takes_no_room_and_goes_into_no_summary() {
    let mut notebook = Notebook::of((0..30).map(|n| format!("Line {n}.")));
    for (_, message, text, _) in notebook.notes.iter_mut().skip(1).step_by(2) {
        (message.kind, *text) = (MessageKind::System, "{\"failure\":1}".repeat(900));
    }
    let plan = notebook.plan(&SMALL).unwrap();
    assert_eq!(plan.covered, ["Line 0.", "Line 2.", "Line 4.", "Line 6."]);
    notebook.notes.truncate(20);
    assert_eq!(notebook.plan(&SMALL), None, "ten lines have room, whatever failed between them");
}

#[test]
fn the_first_sentence_stands_for_a_message() {
    let texts = [
        "He came early this morning.  He saw.\nHe won.",
        "Version v1.2 of it is out now! Hooray",
        "一つ目の文はこれで終わり。二つ。",
        " \n ",
        "Dr. Weber wants no milk. Nor tea.",
    ];
    let texts = texts.map(ToOwned::to_owned);
    let mut notebook = Notebook::of(texts.into_iter().chain(vec!["x".to_owned(); 7]));
    notebook.compact(&Bounds { span: 5, ..SMALL });
    let words = "- He came early this morning.\n- Version v1.2 of it is out now!\n\
                 - 一つ目の文はこれで終わり。\n- Dr. Weber wants no milk.";
    assert_eq!(notebook.latest.unwrap().1, words);
}

#[test]
fn the_oldest_lines_are_shortened_and_then_dropped_and_the_newest_stay_whole() {
    let mut notebook =
        Notebook::of((0..100).map(|n| format!("Note {n} {}.", "and so on ".repeat(9))));
    let bounds = Bounds { summary: 1_000, ..SMALL };
    notebook.compact(&bounds);
    let words = notebook.latest.unwrap().1;
    assert!(words.starts_with("…\n- Note "), "{words}");
    assert!(words.lines().nth(1).unwrap().ends_with("and so…"), "{words}");
    assert!(words.lines().last().unwrap().ends_with("and so on ."), "{words}");
    assert!(words.len() <= bounds.summary, "{words}");
}

#[test]
fn after_a_compaction_the_summary_and_every_note_since_are_shown_whole() {
    let mut notebook = Notebook::of((0..3_000).map(|n| format!("Board {n} took \"two\" coats.")));
    notebook.compact(&Bounds::notebook());
    let mut given = Given::fresh();
    let (span, text, label) = notebook.latest.clone().unwrap();
    assert_eq!(span.start.as_str(), "message_000000");
    given.notes.push((at(0), text.clone(), true, label));
    given
        .notes
        .extend(notebook.open().iter().map(|note| (at(1), note.2.clone(), false, note.3.clone())));
    let shown = body(&given.prompt(), types::BlockKind::Observations);
    assert_eq!(shown[0]["text"], *text, "the summary is shown whole");
    assert_eq!(shown.as_array().unwrap().len(), 1 + notebook.open().len(), "nothing was left out");
    assert_eq!(notebook.notes.len(), 3_000, "the notes themselves stay");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_summary_never_grows_beyond_its_bound_and_what_stands_is_within_both(
        texts in proptest::collection::vec("[\\PC\n\"\\\\]{0,300}", 0..40), summary in 0_usize..2_000,
    ) {
        let bounds = Bounds { summary, ..SMALL };
        let mut notebook = Notebook::of(texts);
        let plans = notebook.compact(&bounds);
        if let Some((span, text, _)) = &notebook.latest {
            prop_assert!(text.len() <= summary.max(3), "{} bytes", text.len());
            prop_assert_eq!(span.depth, plans);
        }
        let open = notebook.open();
        prop_assert!(open.len() <= bounds.count);
        let bytes: usize = open.iter().map(|note| note.2.len()).sum();
        prop_assert!(open.len() <= 1 || bytes <= bounds.tokens * 4);
    }

    #[test]
    fn the_same_plan_makes_the_same_summary(texts in proptest::collection::vec(".{0,40}", 12..20)) {
        let plan = Notebook::of(texts).plan(&SMALL).unwrap();
        prop_assert_eq!(extract(&plan), extract(&plan));
    }
}
