//! What a turn's model is asked with.

use std::sync::OnceLock;

use context::projection::{Allow, Blocked, check};
use types::{Block, BlockKind};

use crate::prompted::Prompted;

/// A prompt, and what was found out about it.
pub(crate) struct Page {
    pub(crate) blocks: Vec<Block>,
    /// About how many tokens they are.
    pub(crate) tokens: u64,
    /// Tokens of one tool's answer that the model is told.
    pub(crate) answer_tokens: u64,
    /// The same as it is recorded.
    pub(super) prompted: OnceLock<Prompted>,
    projection: OnceLock<Result<(), Blocked>>,
}

impl Page {
    pub(crate) fn of((blocks, tokens): (Vec<Block>, u64), answer_tokens: u64) -> Page {
        let (prompted, projection) = (OnceLock::new(), OnceLock::new());
        Page { blocks, tokens, answer_tokens, prompted, projection }
    }

    /// One that an earlier attempt has recorded.
    pub(crate) fn again(blocks: Vec<Block>, answer_tokens: u64, prompted: Prompted) -> Page {
        let tokens = context::tokens_of(&blocks);
        Page { prompted: OnceLock::from(prompted), ..Page::of((blocks, tokens), answer_tokens) }
    }

    /// Whether it may be sent at all.
    pub(crate) fn may_be_sent(&self) -> Result<(), &Blocked> {
        self.projection.get_or_init(|| check(&self.blocks, &Allow::turn())).as_ref().copied()
    }

    /// Whether it tells of a task.
    pub(super) fn tells_of_task(&self) -> bool {
        self.blocks.iter().any(|block| block.kind == BlockKind::Task)
    }
}
