//! What was said between a turn and its model since the prompt.

use std::collections::BTreeSet;

use model::Exchange;
use rules::turn::Progress;
use types::{Interjection, Round, RunKey};

/// What was said, and how much of it is on record.
#[derive(Default)]
pub(crate) struct Talk {
    /// What the model answered so far.
    pub(crate) rounds: Vec<Round>,
    /// What was said since the prompt, as the model hears it again.
    pub(crate) said: Vec<Exchange>,
    /// What was thrown in since the last answer.
    pub(crate) interjected: Vec<Interjection>,
    /// Runs of such words that were taken back meanwhile.
    pub(crate) taken_back: BTreeSet<RunKey>,
    /// Whether it gets anywhere.
    pub(crate) progress: Progress,
    /// Whether the turn's record exists.
    pub(crate) open: bool,
    /// How many answers are recorded.
    pub(crate) recorded: usize,
    /// How many answers an earlier attempt has recorded.
    pub(crate) resumed: usize,
}

impl Talk {
    /// One that an earlier attempt has recorded so far.
    pub(crate) fn resumed(rounds: Vec<Round>) -> Talk {
        let (recorded, resumed) = (rounds.len(), rounds.len());
        Talk { rounds, recorded, resumed, open: true, ..Talk::default() }
    }

    /// How many answers there are, as records count them.
    pub(crate) fn answers(&self) -> u32 {
        u32::try_from(self.rounds.len()).unwrap_or(u32::MAX)
    }

    /// All that the operator has thrown in.
    pub(crate) fn thrown_in(&self) -> impl Iterator<Item = &Interjection> {
        let taken_up = self.rounds.iter().flat_map(|round| &round.interjected);
        taken_up.chain(&self.interjected)
    }
}
