//! The agent's notes: summaries of the older ones, then the notes themselves.

use std::borrow::Cow;

use serde::Serialize;
use types::{At, BlockKind};

use crate::cut::cut;
use crate::keep::{join, keep};
use crate::part::{Part, lines, reason};
use crate::{Bounds, Note, Seen};

#[derive(Serialize)]
struct Noted<'a> {
    at: At,
    text: Cow<'a, str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    summary: bool,
}

pub(crate) fn notes(seen: &Seen<'_>, bounds: &Bounds) -> Option<Part> {
    if seen.notes.is_empty() {
        return None;
    }
    let newest = seen.notes.iter().rev();
    let (summaries, notes): (Vec<&Note<'_>>, Vec<&Note<'_>>) = newest.partition(|it| it.summary);
    let older = keep(&summaries, bounds.summaries, |note| noted(note, bounds.summary));
    let recent = keep(&notes, bounds.notes, |note| noted(note, bounds.text));

    let shown = summaries[..older.things.len()].iter().chain(&notes[..recent.things.len()]);
    let label = join(shown.map(|note| note.label));
    let left_out = older.left_out + recent.left_out;
    let why = reason(
        "what it noted for itself",
        &[(older.left_out, "summaries"), (recent.left_out, "notes")],
    );
    let in_order = older.things.into_iter().rev().chain(recent.things.into_iter().rev());
    let body = lines(in_order.collect(), left_out, false);
    Some(Part::data(BlockKind::Observations, &body, label, why))
}

fn noted<'a>(note: &Note<'a>, max: usize) -> Noted<'a> {
    Noted { at: note.at, text: cut(note.text, max), summary: note.summary }
}
