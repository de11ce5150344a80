//! What was said before in this session.

use std::borrow::Cow;

use serde::Serialize;
use types::{At, BlockKind};

use crate::cut::cut;
use crate::keep::{join, keep};
use crate::part::{Part, lines, reason};
use crate::{Bounds, Said, Seen, Who};

#[derive(Serialize)]
struct Spoken<'a> {
    who: &'static str,
    text: Cow<'a, str>,
    at: At,
}

pub(crate) fn history(seen: &Seen<'_>, bounds: &Bounds) -> Option<Part> {
    if seen.history.is_empty() {
        return None;
    }
    let newest = seen.history.iter().rev();
    let (summaries, said): (Vec<&Said<'_>>, Vec<&Said<'_>>) =
        newest.partition(|said| said.who == Who::Summary);
    // The words of this thread have their own room; summaries never take from it.
    let older = keep(&summaries, bounds.summaries, |said| spoken(said, bounds.summary));
    let recent = keep(&said, bounds.history, |said| spoken(said, bounds.text));

    let shown = summaries[..older.things.len()].iter().chain(&said[..recent.things.len()]);
    let label = join(shown.map(|said| said.label));
    let left_out = older.left_out + recent.left_out;
    let why = reason(
        "what was said earlier",
        &[(older.left_out, "summaries"), (recent.left_out, "messages")],
    );
    let in_order = older.things.into_iter().rev().chain(recent.things.into_iter().rev());
    let body = lines(in_order.collect(), left_out, false);
    Some(Part::data(BlockKind::History, &body, label, why))
}

fn spoken<'a>(said: &Said<'a>, max: usize) -> Spoken<'a> {
    let who = match said.who {
        Who::Operator => "operator",
        Who::You => "you",
        Who::Other => "other",
        Who::Summary => "summary",
    };
    Spoken { who, text: cut(said.text, max), at: said.at }
}
