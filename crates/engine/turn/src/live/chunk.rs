//! A piece of a turn under way.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;
use types::RunKey;

/// Names a piece among all of its run, in order: attempts are counted with the run, pieces within each
/// attempt, and neither ever begins anew. So a name means the same piece after a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChunkId {
    /// In which attempt of the run.
    pub attempt: u32,
    /// Which piece of it, from 0.
    pub n: u64,
}

impl fmt::Display for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.attempt, self.n)
    }
}

impl FromStr for ChunkId {
    type Err = String;

    fn from_str(text: &str) -> Result<ChunkId, String> {
        let parsed = text.split_once('.').and_then(|(attempt, n)| {
            Some(ChunkId { attempt: attempt.parse().ok()?, n: n.parse().ok()? })
        });
        parsed.ok_or_else(|| {
            format!("{text:?} names no piece: it is an attempt and a number, as 0.17")
        })
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened {
    /// A new attempt begins: what was heard of this round is void. What was heard of the rounds before
    /// is on record, and is not said again.
    Restart,
    /// The model said some words.
    Text(String),
    /// The model asks for a tool; its answer is whole.
    Asks {
        /// Which.
        tool: String,
        /// With what; nothing if that is too long to be held.
        input: Value,
    },
    /// A tool answered.
    Answered {
        /// Which.
        tool: String,
        /// Whether it went well.
        ok: bool,
        /// What the model is told of it.
        output: String,
    },
}

impl Happened {
    /// About how many bytes it takes to hold it.
    pub(super) fn bytes(&self) -> usize {
        let own = size_of::<Chunk>();
        own + match self {
            Happened::Restart => 0,
            Happened::Text(text) => text.len(),
            // The arguments are bounded by whoever says them.
            Happened::Asks { tool, input } => tool.len() + input.to_string().len(),
            Happened::Answered { tool, output, .. } => tool.len() + output.len(),
        }
    }
}

/// A piece of a turn under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Of which run.
    pub run_key: RunKey,
    /// Which of it: whoever has seen it need not see it again.
    pub id: ChunkId,
    /// In which round of the turn, from 0.
    pub round: u32,
    /// What happened.
    pub happened: Happened,
}
