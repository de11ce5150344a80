//! One part of a prompt, before the parts are put together.

use serde::Serialize;
use types::{Block, BlockKind, Label, Stability};

/// A part with the label of all that went into it.
pub(crate) struct Part {
    pub(crate) block: Block,
    pub(crate) label: Label,
}

impl Part {
    /// Words of Dormouse or of a template: the only parts that are not data.
    pub(crate) fn words(kind: BlockKind, text: &str, reason: &str) -> Part {
        let label = Label::runtime();
        let (text, reason) = (text.to_owned(), reason.to_owned());
        let block = Block { kind, stability: Stability::Stable, trust: label.trust, text, reason };
        Part { block, label }
    }

    /// Data: its heading, and one JSON value. JSON has no line breaks inside of strings, so the second
    /// line is the value and there is no third.
    pub(crate) fn data(
        kind: BlockKind,
        body: &impl Serialize,
        label: Label,
        reason: String,
    ) -> Part {
        let json = serde_json::to_string(body).expect("parts of a prompt are JSON");
        let heading = heading(kind).expect("data has a heading");
        let text = format!("{heading}\n{json}");
        let stability = Stability::TurnScoped;
        Part { block: Block { kind, stability, trust: label.trust, text, reason }, label }
    }
}

/// The line above the data of a part; none for parts that are plain words.
pub(crate) const fn heading(kind: BlockKind) -> Option<&'static str> {
    match kind {
        BlockKind::Policy | BlockKind::Role => None,
        BlockKind::Task => Some("# Task"),
        BlockKind::Linked => Some("# Linked tasks"),
        BlockKind::Report => Some("# Your report"),
        BlockKind::Observations => Some("# Your notes"),
        BlockKind::History => Some("# Earlier in this session"),
        BlockKind::Delta => Some("# What changed"),
        BlockKind::Hints => Some("# Hints from outside"),
        BlockKind::Wake => Some("# This wake"),
        BlockKind::Input => Some("# Input"),
    }
}

/// Why a part is there, and what was left out of it.
pub(crate) fn reason(why: &str, left_out: &[(usize, &str)]) -> String {
    let missing: Vec<String> = left_out
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if missing.is_empty() {
        return why.to_owned();
    }
    format!("{why}; left out: {}", missing.join(", "))
}

/// An element of a list, or what the list lacks, which is what it ends with.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Line<T> {
    /// One of the list.
    One(T),
    /// How many there was no room for.
    Rest {
        /// So many.
        left_out: usize,
        /// There are more that were not even looked at.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        more: bool,
    },
    /// What there was before all of these.
    Earlier {
        /// What is said of it.
        earlier: &'static str,
    },
}

/// A list that says what it lacks.
pub(crate) fn lines<T>(things: Vec<T>, left_out: usize, more: bool) -> Vec<Line<T>> {
    let rest = (left_out > 0 || more).then_some(Line::Rest { left_out, more });
    things.into_iter().map(Line::One).chain(rest).collect()
}
