//! What hints from outside say. It is shown as what it is: data that somebody sent, who may claim nothing.

use std::borrow::Cow;

use serde::Serialize;
use types::{At, BlockKind, TriggerId, Trust};

use crate::cut::cut;
use crate::keep::{join, keep};
use crate::part::{Part, lines, reason};
use crate::{Bounds, Hinted, Seen};

#[derive(Serialize)]
struct Told<'a> {
    trigger: &'a TriggerId,
    at: At,
    /// How many came; this is what the last of them said.
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_type: Option<Cow<'a, str>>,
    trust: Trust,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'a, str>>,
}

pub(crate) fn hints(seen: &Seen<'_>, bounds: &Bounds) -> Option<Part> {
    if seen.hinted.is_empty() {
        return None;
    }
    let kept = keep(seen.hinted, bounds.hints, |one| told(one, bounds));
    let label = join(seen.hinted[..kept.things.len()].iter().map(|one| one.label));
    let why = reason("what hints from outside say", &[(kept.left_out, "hints")]);
    let body = lines(kept.things, kept.left_out, false);
    Some(Part::data(BlockKind::Hints, &body, label, why))
}

fn told<'a>(one: &Hinted<'a>, bounds: &Bounds) -> Told<'a> {
    let word = |word: &'a Option<String>| word.as_deref().map(|word| cut(word, bounds.title));
    Told {
        trigger: &one.hint.trigger,
        at: one.hint.at,
        count: one.hint.count,
        source: word(&one.hint.source),
        content_type: word(&one.hint.content_type),
        trust: one.label.trust,
        text: one.text.map(|text| cut(text, bounds.text)),
    }
}
