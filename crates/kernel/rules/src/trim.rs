//! How much of a log is let go.

use types::{At, ChangeRecord, Position, limits};

use crate::planted::{self, Fault};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// What of a log is kept in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// Changes that are no older than so many days.
    pub days: u32,
    /// So many of the newest, however old they are or a clock makes them seem.
    pub newest: u64,
}

impl Keep {
    /// What a home keeps whose operator says nothing about it.
    pub const USUAL: Keep =
        Keep { days: limits::CHANGES_KEPT_DAYS, newest: limits::CHANGES_KEPT_MIN };
}

/// How far a log has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// Its last change.
    pub head: Position,
    /// The last one of which everybody was told who listens.
    pub matched: Position,
}

/// Up to where a log is let go that begins with these changes; nothing if they are all kept. One that has not been
/// told yet stays whatever its age, and so does all after it.
#[must_use]
pub fn up_to(oldest: &[ChangeRecord], reached: Reached, keep: Keep, now: At) -> Option<Position> {
    let before = now.plus_millis(-i64::from(keep.days).saturating_mul(DAY_MS));
    let told = if planted::is(Fault::TrimmedUntold) { reached.head } else { reached.matched };
    let last = reached.head.0.saturating_sub(keep.newest).min(told.0);
    // A change from the future was made by a clock that was wrong: how old it is, those around it say.
    let goes = |change: &&ChangeRecord| {
        change.position.0 <= last && (change.at < before || change.at > now)
    };
    let going = oldest.iter().take_while(goes).filter(|change| change.at < before);
    going.last().map(|change| change.position)
}

#[cfg(test)]
#[path = "trim_tests.rs"]
mod tests;
