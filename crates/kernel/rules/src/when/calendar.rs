//! Days by the calendar: `2026-11-20`, `20.11.2026`, `20.11.`, `20 nov`, `nov 20 2027`, `fri 20 nov`.

use jiff::civil::{Date, Weekday};

use super::digits::{is_number, number};
use super::spoken::Read;
use super::{names, range};

/// Years in which any day that exists at all comes round: eight lie between two leap years around 2100.
const YEARS_TO_NEXT_LEAP_DAY: i16 = 8;

/// Reads a day by its number. Without a year it is the next such day, and today is one.
///
/// A weekday before it says nothing new, but has to be right.
pub(super) fn read(words: &[&str], today: Date) -> Read<Date> {
    let weekday = words.first().and_then(|word| names::weekday(word));
    let Some(weekday) = weekday else { return plain(words, today) };
    let Some((date, used)) = plain(&words[1..], today)? else {
        return without_last_dot(&words[1..], today, weekday);
    };
    if date.weekday() != weekday {
        return Err(format!("{date} is a {}", names::weekday_name(date.weekday())));
    }
    Ok(Some((date, used + 1)))
}

/// Refuses `fri 20.11` when that day is a Friday: nobody can say whether it is a day or a time.
fn without_last_dot(words: &[&str], today: Date, weekday: Weekday) -> Read<Date> {
    let Some(word) = words.first() else { return Ok(None) };
    match by_dots(&format!("{word}."), today) {
        Ok(Some(date)) if date.weekday() == weekday => {
            Err(format!("it is the time \"{}\" or the day \"{word}.\"", word.replace('.', ":")))
        }
        _ => Ok(None),
    }
}

fn plain(words: &[&str], today: Date) -> Read<Date> {
    let Some(first) = words.first() else { return Ok(None) };
    if let Some(date) = by_strokes(first)? {
        return Ok(Some((date, 1)));
    }
    if let Some(date) = by_dots(first, today)? {
        return Ok(Some((date, 1)));
    }
    by_month_name(words, today)
}

/// `2026-11-20` and `2026/11/20`.
fn by_strokes(word: &str) -> Result<Option<Date>, String> {
    let parts: Vec<&str> = word.split(['-', '/']).collect();
    if parts.len() < 2 || !parts.iter().all(|part| is_number(part)) {
        return Ok(None);
    }
    match parts[..] {
        [year, month, day] if year.len() >= 4 => {
            exact(number(year), number(month), number(day)).map(Some)
        }
        _ => Err("day and month can be mistaken for each other; \
             write the year first, like \"2026-11-20\""
            .to_owned()),
    }
}

/// `20.11.2026` and `20.11.`
fn by_dots(word: &str, today: Date) -> Result<Option<Date>, String> {
    let parts: Vec<&str> = word.split('.').collect();
    let [day, month, year] = parts[..] else { return Ok(None) };
    if !is_number(day) || !is_number(month) || !(year.is_empty() || is_number(year)) {
        return Ok(None);
    }
    let (month, day) = (number(month), number(day));
    match year.len() {
        0 => upcoming(month, day, today).map(Some),
        1..4 => Err("a year has four digits".to_owned()),
        _ => exact(number(year), month, day).map(Some),
    }
}

/// `20 nov`, `nov 20`, `20th of november 2027`.
fn by_month_name(words: &[&str], today: Date) -> Read<Date> {
    let (month, day, used) = match words {
        [day, "of", month, ..] => (names::month(month), day_number(day), 3),
        [first, second, ..] => match names::month(first) {
            Some(month) => (Some(month), day_number(second), 2),
            None => (names::month(second), day_number(first), 2),
        },
        _ => (None, None, 0),
    };
    let (Some(month), Some(day)) = (month, day) else { return Ok(None) };
    let year = words.get(used).filter(|word| word.len() >= 4 && is_number(word));
    match year {
        Some(year) => Ok(Some((exact(number(year), i64::from(month), day)?, used + 1))),
        None => Ok(Some((upcoming(i64::from(month), day, today)?, used))),
    }
}

/// `20`, `20.` or `20th`.
fn day_number(word: &str) -> Option<i64> {
    let ends = [".", "st", "nd", "rd", "th"];
    let digits = ends.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    (digits.len() <= 2 && is_number(digits)).then(|| number(digits))
}

fn exact(year: i64, month: i64, day: i64) -> Result<Date, String> {
    let month = month_of_year(month)?;
    let first = i16::try_from(year).ok().and_then(|year| Date::new(year, month, 1).ok());
    let first = range::day(first.ok_or_else(range::outside)?)?;
    let found = i8::try_from(day).ok().and_then(|day| first.with().day(day).build().ok());
    found.ok_or_else(|| {
        let days = first.days_in_month();
        format!("{} {year} has the days 1 to {days}", names::month_name(month))
    })
}

/// The next such day from today on.
fn upcoming(month: i64, day: i64, today: Date) -> Result<Date, String> {
    let month = month_of_year(month)?;
    let day = i8::try_from(day).unwrap_or(i8::MAX);
    let mut years = today.year()..=today.year() + YEARS_TO_NEXT_LEAP_DAY;
    let found = years.find_map(|year| Date::new(year, month, day).ok().filter(|d| *d >= today));
    match found {
        Some(date) => range::day(date),
        None if today.year() + YEARS_TO_NEXT_LEAP_DAY > range::YEAR_MAX => Err(range::outside()),
        None => Err(never(month)),
    }
}

fn never(month: i8) -> String {
    // A leap year, so that February is as long as it can be.
    let longest = Date::new(2000, month, 1).expect("every month has a first day");
    format!("{} has the days 1 to {}", names::month_name(month), longest.days_in_month())
}

fn month_of_year(month: i64) -> Result<i8, String> {
    let found = i8::try_from(month).ok().filter(|month| (1..=12).contains(month));
    found.ok_or_else(|| "a year has the months 1 to 12".to_owned())
}
