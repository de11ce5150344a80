//! Cron lines: minute, hour, day of month, month, day of week.

use super::cron_field::FIELDS;
use super::error::{ScheduleError, beginning};
use super::pattern::Pattern;

/// Bytes of a cron line: a list of every minute fits, a document does not.
const LINE_BYTES_MAX: usize = 200;

const NICKNAMES: [(&str, &str); 5] = [
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
];

/// Reads a line.
///
/// If both day fields are restricted, a day that matches either of them matches; a field that
/// begins with `*` is not restricted, whatever its step. Cron has always done it that way.
///
/// # Errors
/// If the line cannot be read, or matches no day of any year.
pub(super) fn parse(line: &str) -> Result<Pattern, ScheduleError> {
    let bad = |why| ScheduleError::BadCron { line: beginning(line, LINE_BYTES_MAX), why };
    if line.len() > LINE_BYTES_MAX {
        return Err(bad(format!("it has {} bytes, the limit is {LINE_BYTES_MAX}", line.len())));
    }
    let texts = fields(line).map_err(bad)?;
    let mut values = [0_u64; 5];
    for ((field, text), value) in FIELDS.iter().zip(&texts).zip(&mut values) {
        *value = field.read(text).map_err(bad)?;
    }
    let [minutes, hours, days, months, weekdays] = values;
    let either_day = !texts[2].starts_with('*') && !texts[4].starts_with('*');
    // Sunday is 0 and 7.
    let weekdays = (weekdays | weekdays >> 7) & 0x7f;
    let pattern = Pattern::new(minutes, hours, days, months, weekdays, either_day);
    if !pattern.ever_comes() {
        return Err(ScheduleError::NeverComes { pattern: line.to_owned() });
    }
    Ok(pattern)
}

fn fields(line: &str) -> Result<[&str; 5], String> {
    let mut texts: Vec<&str> = line.split_ascii_whitespace().collect();
    if let [nickname] = texts[..]
        && nickname.starts_with('@')
    {
        let known = NICKNAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(nickname));
        let Some((_, long)) = known else {
            let names = NICKNAMES.map(|(name, _)| name).join(", ");
            return Err(format!("{nickname} is not one of {names}"));
        };
        texts = long.split_ascii_whitespace().collect();
    }
    let found = texts.len();
    texts.try_into().map_err(|_| format!("it has {found} fields, a cron line has 5"))
}

#[cfg(test)]
#[path = "cron_tests.rs"]
mod tests;
