//! What is held of turns: a bounded tail of each that is under way, and of the last that were.

use std::collections::{BTreeMap, VecDeque};

use types::RunKey;

use super::{Chunk, ChunkId};

/// Bytes that are held of one run: an answer of a usual length and what its tools said.
const RUN_BYTES_MAX: usize = 128 * 1024;

/// Runs of which something is held although nobody is at work on them: long enough for whoever lost the
/// connection in the last words.
const OVER_MAX: usize = 32;

/// What is held of all runs.
#[derive(Debug, Default)]
pub(super) struct Held {
    runs: BTreeMap<RunKey, Tail>,
    /// Those that nobody is at work on, oldest first.
    over: VecDeque<RunKey>,
}

/// What is held of one run.
#[derive(Debug, Default)]
struct Tail {
    chunks: VecDeque<Chunk>,
    bytes: usize,
    /// The run in whose turn its words were taken up, and the last that was said there before.
    taken_up: Option<(RunKey, Option<ChunkId>)>,
}

impl Held {
    /// Somebody is at work on a run, in a turn of its own.
    pub(super) fn begin(&mut self, run: RunKey) {
        self.over.retain(|other| *other != run);
        self.runs.entry(run).or_default().taken_up = None;
    }

    /// Nobody is any more.
    pub(super) fn end(&mut self, run: RunKey) {
        self.over.retain(|other| *other != run);
        self.over.push_back(run);
        while self.over.len() > OVER_MAX {
            let oldest = self.over.pop_front();
            oldest.map(|oldest| self.runs.remove(&oldest));
        }
    }

    /// The words of a run are taken up in the turn of another.
    pub(super) fn take_up(&mut self, run: RunKey, by: RunKey) {
        let last = self.runs.get(&by).and_then(|tail| Some(tail.chunks.back()?.id));
        self.runs.entry(run).or_default().taken_up = Some((by, last));
        self.end(run);
    }

    /// Holds a piece, and lets go of the oldest of its run if there is no room.
    pub(super) fn hold(&mut self, chunk: Chunk) {
        let tail = self.runs.entry(chunk.run_key).or_default();
        tail.bytes += chunk.happened.bytes();
        tail.chunks.push_back(chunk);
        while tail.bytes > RUN_BYTES_MAX && tail.chunks.len() > 1 {
            let oldest = tail.chunks.pop_front().expect("there is more than one");
            tail.bytes -= oldest.happened.bytes();
        }
    }

    /// The run in whose turn a run is heard, and after which piece.
    pub(super) fn heard_in(&self, run: RunKey) -> (RunKey, Option<ChunkId>) {
        self.runs.get(&run).and_then(|tail| tail.taken_up).unwrap_or((run, None))
    }

    /// The first that is held of a run after this piece.
    pub(super) fn after(&self, run: &RunKey, after: Option<ChunkId>) -> Option<Chunk> {
        let chunks = &self.runs.get(run)?.chunks;
        let first = chunks.partition_point(|chunk| Some(chunk.id) <= after);
        chunks.get(first).cloned()
    }
}
