//! Why a text is not a time, in words that say how to write it.

use crate::schedule::ScheduleError;
use crate::schedule::error::beginning;

/// Characters of a text that an error repeats.
const TEXT_CHARS_SHOWN: usize = 60;

/// What a text was to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// An instant.
    Moment,
    /// A day, perhaps with a time.
    Due,
    /// A day.
    Day,
    /// A duration.
    Minutes,
}

impl Wanted {
    /// The thing as a word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Wanted::Moment => "time",
            Wanted::Due => "due date",
            Wanted::Day => "day",
            Wanted::Minutes => "duration",
        }
    }

    /// Three ways to write one.
    #[must_use]
    pub const fn forms(self) -> [&'static str; 3] {
        match self {
            Wanted::Moment => ["9:30", "20 min ago", "2026-11-20 14:30"],
            Wanted::Due => ["tomorrow", "fri 9am", "2026-11-20"],
            Wanted::Day => ["tomorrow", "20 nov", "2026-11-20"],
            Wanted::Minutes => ["45m", "1h 30m", "1.5h"],
        }
    }
}

/// Why a text is not the time that it was to be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WhenError {
    /// It has no form that is known.
    #[error("{text:?} is not a {wanted}; write {forms}", wanted = .wanted.as_str(), forms = forms(*.wanted))]
    Unreadable {
        /// The text, or its beginning if it is too long.
        text: String,
        /// What it was to be.
        wanted: Wanted,
    },
    /// Its form is known, but there is no such time, or there are two.
    #[error("{text:?} is not a {wanted}: {why}", wanted = .wanted.as_str())]
    Refused {
        /// The text, or its beginning if it is too long.
        text: String,
        /// What it was to be.
        wanted: Wanted,
        /// What is wrong with it.
        why: String,
    },
    /// The zone that it is to be read in does not exist.
    #[error(transparent)]
    Zone(ScheduleError),
}

impl WhenError {
    pub(super) fn unreadable(text: &str, wanted: Wanted) -> WhenError {
        WhenError::Unreadable { text: beginning(text, TEXT_CHARS_SHOWN), wanted }
    }

    pub(super) fn refused(text: &str, wanted: Wanted, why: impl Into<String>) -> WhenError {
        WhenError::Refused { text: beginning(text, TEXT_CHARS_SHOWN), wanted, why: why.into() }
    }
}

fn forms(wanted: Wanted) -> String {
    let [first, second, third] = wanted.forms();
    format!("{first:?}, {second:?} or {third:?}")
}
