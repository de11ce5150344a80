//! What comes of asking: how likely each is.

use model::{Failure, Response};
use testkit::Random;
use types::{AttemptTimeline, DialogAct, ModelFailureKind};

use super::answer;
use crate::plan::pick;

/// What comes of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// The model cannot be reached.
    Fails(ModelFailureKind),
    /// It answers with nothing at all.
    SaysNothing,
    /// It is cut off while it asks for something.
    IsCutOff,
    /// It asks for more than fits into one group.
    AsksForALot,
    /// It asks for the same from now on.
    GetsStuck,
    /// It has nothing more to do.
    IsDone,
    /// It asks for something.
    Acts,
}

const FAILURES: [ModelFailureKind; 12] = [
    ModelFailureKind::Timeout,
    ModelFailureKind::Connection,
    ModelFailureKind::Broken,
    ModelFailureKind::RateLimited,
    ModelFailureKind::ServerError,
    ModelFailureKind::Authentication,
    ModelFailureKind::BadRequest,
    ModelFailureKind::ContextLength,
    ModelFailureKind::InvalidResponse,
    ModelFailureKind::UnsupportedTransport,
    ModelFailureKind::SecretUnavailable,
    ModelFailureKind::NetworkDenied,
];

/// How many of the kinds above may pass by themselves: the first ones. They come more often.
const PASSING: u64 = 5;

/// Draws a fate.
pub(super) fn draw(dice: &mut Random) -> Fate {
    match dice.below(100) {
        0..=7 => Fate::Fails(FAILURES[at(dice.below(PASSING))]),
        8..=9 => Fate::Fails(FAILURES[at(dice.below(12))]),
        10 => Fate::SaysNothing,
        11 => Fate::IsCutOff,
        12 => Fate::AsksForALot,
        13..=15 => Fate::GetsStuck,
        16..=40 => Fate::IsDone,
        _ => Fate::Acts,
    }
}

/// What a fast model says that is asked what somebody means: mostly the word that it was asked for.
pub(super) fn in_a_word(number: u64, dice: &mut Random) -> Result<Response, ModelFailureKind> {
    let text = match dice.below(10) {
        0 => return Err(FAILURES[at(dice.below(12))]),
        1 => format!("hard to say, {number}"),
        2 => String::new(),
        _ => DialogAct::ALL[pick(dice, DialogAct::ALL.len())].as_str().to_owned(),
    };
    Ok(answer::of(&text, vec![], dice))
}

/// How long the answer takes.
pub(super) fn takes_ms(dice: &mut Random) -> i64 {
    let millis = match dice.below(8) {
        0..=2 => 0,
        3..=5 => dice.below(900),
        6 => dice.below(9_000),
        _ => dice.below(90_000),
    };
    i64::try_from(millis).unwrap_or(0)
}

/// A failure as the port tells it.
pub(super) fn failure(kind: ModelFailureKind, dice: &mut Random) -> Failure {
    let retry_after_ms = match kind {
        ModelFailureKind::RateLimited => Some(dice.below(30_000)),
        _ => None,
    };
    Failure {
        kind,
        message: format!("the model is not there: {}", kind.as_str()),
        status: None,
        retry_after_ms,
        timeline: AttemptTimeline::default(),
    }
}

fn at(n: u64) -> usize {
    usize::try_from(n).unwrap_or(0)
}
