//! Durations: `90`, `90m`, `1h30`, `1:30`, `1.5h`.

use super::amount;
use super::digits::{is_number, number};
use super::error::{Wanted, WhenError};

/// The longest duration: all minutes of a year.
pub const MINUTES_MAX: u32 = 365 * 24 * 60;

/// Reads a duration. A bare number counts minutes; a part of an hour is rounded to the minute.
///
/// # Errors
/// If the text is no duration, is longer than [`MINUTES_MAX`], or counts days: how many hours of work
/// a day has is for the person to say.
pub fn minutes(text: &str) -> Result<u32, WhenError> {
    let refused = |why: String| WhenError::refused(text, Wanted::Minutes, why);
    let small = text.to_lowercase();
    let words: Vec<&str> = small.split_whitespace().collect();
    let found = match words[..] {
        [bare] if is_number(bare) => Some(number(bare)),
        [joined] if joined.contains(':') => by_colon(joined).map_err(refused)?,
        _ => by_units(&words).map_err(refused)?,
    };
    let found = found.ok_or_else(|| WhenError::unreadable(text, Wanted::Minutes))?;
    let within = u32::try_from(found).ok().filter(|minutes| *minutes <= MINUTES_MAX);
    within.ok_or_else(|| refused(format!("at most {MINUTES_MAX} minutes, a year, are allowed")))
}

fn by_colon(word: &str) -> Result<Option<i64>, String> {
    let Some((hours, minutes)) = word.split_once(':') else { return Ok(None) };
    if !is_number(hours) || !is_number(minutes) {
        return Ok(None);
    }
    if minutes.len() != 2 || number(minutes) > 59 {
        return Err("an hour has the minutes 00 to 59".to_owned());
    }
    Ok(Some(number(hours).saturating_mul(60).saturating_add(number(minutes))))
}

fn by_units(words: &[&str]) -> Result<Option<i64>, String> {
    match amount::read(words)? {
        Some((amount, used)) if used == words.len() => match amount.only_minutes() {
            Some(minutes) => Ok(Some(minutes)),
            None => Err("a day has no fixed number of hours; write hours, like \"8h\"".to_owned()),
        },
        _ => Ok(None),
    }
}

#[cfg(test)]
#[path = "minutes_tests.rs"]
mod tests;
