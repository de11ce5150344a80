//! A prompt, and what can be said of it.

use serde::Serialize;
use types::{Block, BlockKind, Label, Source, Stability, Trust};

use crate::part::Part;
use crate::projection::Allow;
use crate::{Bounds, tokens, tokens_of};

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Its parts in order: what stays the same longest comes first.
    pub blocks: Vec<Block>,
    /// About how many tokens they are.
    pub tokens: u64,
    /// It holds something that neither the operator nor the runtime said.
    pub exposed: bool,
    /// Where all of it came from: the label of whatever is made from it.
    pub label: Label,
}

/// A part of a prompt in a line, for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// What it is.
    pub kind: BlockKind,
    /// How long it stays the same.
    pub stability: Stability,
    /// How far it may be trusted.
    pub trust: Trust,
    /// About how many tokens it is.
    pub tokens: u64,
    /// Why it is there, and what was left out.
    pub reason: String,
}

impl Prompt {
    pub(crate) fn of(parts: Vec<Part>) -> Prompt {
        let label = crate::keep::join(parts.iter().map(|part| &part.label));
        let blocks: Vec<Block> = parts.into_iter().map(|part| part.block).collect();
        Prompt { tokens: tokens_of(&blocks), exposed: is_exposed(&label), label, blocks }
    }

    /// Whether it is no larger than it may be.
    #[must_use]
    pub fn fits(&self, bounds: &Bounds) -> bool {
        let said = self.blocks.iter().filter(|block| block.kind == BlockKind::Input);
        let said: u64 = said.map(|block| tokens(&block.text)).sum();
        self.tokens <= bounds.room && self.tokens - said <= bounds.tokens
    }

    /// The same without the parts that are not on a list. What was left out still counts for the label:
    /// it is never more trusted than before.
    #[must_use]
    pub fn project(mut self, allow: &Allow) -> Prompt {
        self.blocks.retain(|block| allow.has(block.kind));
        self.tokens = tokens_of(&self.blocks);
        self
    }

    /// Its parts, a line each.
    #[must_use]
    pub fn items(&self) -> Vec<Item> {
        let item = |block: &Block| Item {
            kind: block.kind,
            stability: block.stability,
            trust: block.trust,
            tokens: tokens(&block.text),
            reason: block.reason.clone(),
        };
        self.blocks.iter().map(item).collect()
    }
}

/// Whether something of what bears this label is neither the operator's nor the runtime's.
#[must_use]
pub fn is_exposed(label: &Label) -> bool {
    let vouched = |source: &Source| matches!(source, Source::Operator | Source::Runtime);
    label.trust < Trust::Runtime || !label.sources.iter().all(vouched)
}
