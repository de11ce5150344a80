//! Why the agent woke, and what is asked of it now.

use std::borrow::Cow;

use serde::Serialize;
use types::{AuthorityClass, BlockKind, Label};

use crate::cut::cut;
use crate::part::Part;
use crate::{Bounds, Input, Seen};

#[derive(Serialize)]
struct Why<'a> {
    reason: &'static str,
    why: Cow<'a, str>,
    now: &'a str,
    first: bool,
    hints: u64,
    asks: String,
}

pub(crate) fn wake(seen: &Seen<'_>, bounds: &Bounds) -> Part {
    let body = Why {
        reason: seen.wake.reason.as_str(),
        why: cut(seen.wake.why, bounds.title),
        now: seen.now,
        first: seen.wake.first,
        hints: seen.wake.hints,
        asks: asks(seen),
    };
    Part::data(BlockKind::Wake, &body, Label::runtime(), "why it woke and what is asked".to_owned())
}

/// Whether an input may ask for anything; evidence is looked at and not answered.
const fn may_ask(input: &Input<'_>) -> bool {
    match input.authority {
        AuthorityClass::OperatorInstruction | AuthorityClass::RuntimeInstruction => true,
        AuthorityClass::IntegrationSignal | AuthorityClass::ExternalEvidence => false,
    }
}

/// A first wake asks for a report whatever else is asked; somebody's words come before a routine look.
fn asks(seen: &Seen<'_>) -> String {
    let texts = &seen.texts;
    let prompt = seen.input.filter(may_ask).map(|_| texts.prompt);
    let asked = match (seen.wake.first, prompt) {
        (true, prompt) => [Some(texts.first), prompt],
        (false, Some(prompt)) => [Some(prompt), None],
        (false, None) => [Some(texts.later), None],
    };
    let words: Vec<&str> = asked.into_iter().flatten().map(str::trim).collect();
    words.join(" ").trim().to_owned()
}
