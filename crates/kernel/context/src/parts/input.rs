//! What somebody said.

use std::borrow::Cow;

use serde::Serialize;
use types::BlockKind;

use crate::cut::{cut, end_within};
use crate::part::{Part, reason};
use crate::{Bounds, Seen};

#[derive(Serialize)]
struct Words<'a> {
    from: &'a str,
    via: &'static str,
    authority: &'static str,
    text: Cow<'a, str>,
    /// Bytes of the text that there was no room for: an order that is not whole is another order.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<usize>,
}

pub(crate) fn input(seen: &Seen<'_>, bounds: &Bounds) -> Option<Part> {
    let input = seen.input.as_ref()?;
    let missing = input.text.len() - end_within(input.text, bounds.input);
    let body = Words {
        from: input.from,
        via: input.via.as_str(),
        authority: input.authority.as_str(),
        text: cut(input.text, bounds.input),
        left_out: (missing > 0).then_some(missing),
    };
    let why = reason("what was said to it, and how it came", &[(missing, "bytes")]);
    Some(Part::data(BlockKind::Input, &body, input.label.clone(), why))
}
