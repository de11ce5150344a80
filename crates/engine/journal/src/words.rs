//! Times as people and programs write them, as the journal keeps them.

use rules::when::{self, WhenError};
use types::{At, Code, Day, Due};

use crate::Error;

/// An instant.
pub(crate) fn moment(text: &str, now: At, zone: &str) -> Result<At, Error> {
    when::moment(text, now, zone).map_err(|error| unreadable(&error))
}

/// An instant of a day, unless another is named.
pub(crate) fn moment_on(text: &str, day: Day, now: At, zone: &str) -> Result<At, Error> {
    when::moment_on(text, day.date(), now, zone).map_err(|error| unreadable(&error))
}

/// A day.
pub(crate) fn day(text: &str, now: At, zone: &str) -> Result<Day, Error> {
    let date = when::day(text, now, zone).map_err(|error| unreadable(&error))?;
    Ok(Day::new(date)?)
}

/// When something is due.
pub(crate) fn due(text: &str, now: At, zone: &str) -> Result<Due, Error> {
    let due = when::due(text, now, zone).map_err(|error| unreadable(&error))?;
    Ok(Due { day: Day::new(due.day)?, time: due.time })
}

/// How many minutes somebody means.
pub(crate) fn minutes(text: &str) -> Result<u32, Error> {
    when::minutes(text).map_err(|error| {
        let hint = "write it like `45m`, `1h30` or `1:30`";
        Error::refuse(Code::BadTime, error.to_string(), hint)
    })
}

/// How many minutes somebody means who has spent some.
pub(crate) fn some_minutes(text: &str) -> Result<u32, Error> {
    match minutes(text)? {
        0 => {
            let message = format!("{text:?} is no time at all");
            Err(Error::refuse(Code::BadTime, message, "say how long it took, a minute or more"))
        }
        some => Ok(some),
    }
}

fn unreadable(error: &WhenError) -> Error {
    let hint = "write it like `tomorrow 9:00`, `fri`, `2026-11-20` or `2026-11-20 14:30`";
    Error::refuse(Code::BadTime, error.to_string(), hint)
}
