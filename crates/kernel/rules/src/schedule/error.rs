//! Why a schedule is refused, in words that say what to change.

use types::{At, ScheduleStatus};

/// Why a schedule cannot be taken, or cannot do what is asked of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Its cron line cannot be read.
    #[error("the cron line {line:?} cannot be read: {why}")]
    BadCron {
        /// The line, or its beginning if it is too long.
        line: String,
        /// Which field is wrong, and why.
        why: String,
    },
    /// Its pattern matches no day of any year, or starts after the last year that has a name.
    #[error("{pattern:?} never comes")]
    NeverComes {
        /// The cron line, or the interval in words.
        pattern: String,
    },
    /// It is over before it has begun.
    #[error("it ends at {ends_at}, before its first slot")]
    EndsTooSoon {
        /// When it ends.
        ends_at: At,
    },
    /// The recurrence lacks what the trigger goes by.
    #[error("its recurrence has no {needs} to go by")]
    NoRule {
        /// What is missing.
        needs: &'static str,
    },
    /// No zone of that name is known.
    #[error("no time zone is called {name:?}{hint}", hint = hint(.near))]
    UnknownZone {
        /// The name, or its beginning if it is too long.
        name: String,
        /// Names that were perhaps meant.
        near: Vec<String>,
    },
    /// It would make up for more slots at once than one look may.
    #[error("it makes up for {asked} slots at once, the limit is {max}")]
    TooManyRuns {
        /// How many it asks for.
        asked: u32,
        /// How many one look may run.
        max: u32,
    },
    /// A range ends before it begins.
    #[error("{to} comes before {from}")]
    Backwards {
        /// Where it begins.
        from: At,
        /// Where it ends.
        to: At,
    },
    /// A range begins before the oldest slot of which it is known what came of it.
    #[error("what came of its slots is known back to {oldest}, and the range begins before that")]
    TooFarBack {
        /// The oldest of them.
        oldest: At,
    },
    /// A range holds more slots than one request may run.
    #[error("there are at least {found_at_least} slots in that range, the limit is {max}")]
    TooManySlots {
        /// How many there are, or more.
        found_at_least: u64,
        /// How many one request may run.
        max: u64,
    },
    /// Where it stands, it cannot be made to run.
    #[error("a schedule that is {status} comes round no more", status = .status.as_str())]
    NotTriggerable {
        /// Where it stands.
        status: ScheduleStatus,
    },
    /// It goes by the clock, not by changes.
    #[error("it does not listen for events")]
    NotByEvent,
    /// An event came before its start or after its end.
    #[error("an event at {at} is outside the time of this schedule")]
    OutsideItsTime {
        /// When the event came.
        at: At,
    },
    /// A one-shot that has fired and has not ended yet.
    #[error("a one-shot fires once, and it has")]
    AlreadyFired,
}

fn hint(near: &[String]) -> String {
    match near {
        [] => String::new(),
        names => format!("; perhaps {} was meant", names.join(" or ")),
    }
}

/// The beginning of a text that somebody sent: an error never grows with what caused it.
pub(crate) fn beginning(text: &str, chars_max: usize) -> String {
    text.chars().take(chars_max).collect()
}
