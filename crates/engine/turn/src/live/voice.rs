//! One turn's voice.

use std::sync::{Arc, Mutex, PoisonError};

use model::{Heard, Listen};
use serde_json::Value;
use types::RunKey;

use super::{Chunk, ChunkId, Happened, Live};

/// Bytes of the arguments of a call that are said; the record has them all.
const INPUT_BYTES_MAX: usize = 16 * 1024;

/// One turn's voice, in one attempt.
pub(crate) struct Voice {
    live: Live,
    run: RunKey,
    attempt: u32,
    place: Mutex<Place>,
}

struct Place {
    /// The number of the next piece.
    n: u64,
    /// The round that it is of.
    round: u32,
}

impl Voice {
    /// The voice of one attempt at a turn, of which `round` answers are on record already.
    pub(crate) fn new(live: &Live, run: RunKey, attempt: u32, round: u32) -> Arc<Voice> {
        live.held().begin(run);
        let place = Mutex::new(Place { n: 0, round });
        let voice = Voice { live: live.clone(), run, attempt, place };
        if attempt > 0 {
            voice.say(Happened::Restart);
        }
        Arc::new(voice)
    }

    /// What is said from now on is of this round.
    pub(crate) fn in_round(&self, round: usize) {
        let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        place.round = u32::try_from(round).unwrap_or(u32::MAX);
    }

    /// Says that the model asks for a tool.
    pub(crate) fn say_asks(&self, tool: &str, input: &Value) {
        let short = input.to_string().len() <= INPUT_BYTES_MAX;
        let input = if short { input.clone() } else { Value::Null };
        self.say(Happened::Asks { tool: tool.to_owned(), input });
    }

    /// Tells whoever follows.
    pub(crate) fn say(&self, happened: Happened) {
        let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        let id = ChunkId { attempt: self.attempt, n: place.n };
        place.n += 1;
        // Under the lock, so that pieces are held in their order.
        self.live.tell(Chunk { run_key: self.run, id, round: place.round, happened });
    }
}

impl Listen for Voice {
    fn heard(&self, heard: Heard) {
        match heard {
            Heard::Restart { attempt, .. } if attempt <= 1 => {}
            Heard::Restart { .. } => self.say(Happened::Restart),
            Heard::Text { text, .. } => self.say(Happened::Text(text)),
            // It may still break off: said when the answer is whole.
            Heard::Call { .. } => {}
        }
    }
}

impl Drop for Voice {
    fn drop(&mut self) {
        self.live.held().end(self.run);
    }
}
