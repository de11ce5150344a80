//! What somebody said. It is shown whole or not at all: an order that is not whole is another order.

use serde::Serialize;
use types::BlockKind;

use crate::Seen;
use crate::part::{Part, reason};

#[derive(Serialize)]
struct Words<'a> {
    from: &'a str,
    via: &'static str,
    authority: &'static str,
    text: &'a str,
}

pub(crate) fn input(seen: &Seen<'_>) -> Option<Part> {
    let input = seen.input.as_ref()?;
    let body = Words {
        from: input.from,
        via: input.via.as_str(),
        authority: input.authority.as_str(),
        text: input.text,
    };
    let why = reason("what was said to it, and how it came", &[]);
    Some(Part::data(BlockKind::Input, &body, input.label.clone(), why))
}
