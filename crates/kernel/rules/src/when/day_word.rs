//! Days by a word: `today`, `fri`, `next fri`, `last mon`, `end of month`.

use jiff::civil::{Date, Weekday};
use jiff::{Error, ToSpan};

use super::spoken::{Day, Read, Unsaid};
use super::{names, range};

/// Reads a day that is named by its place around today.
///
/// - `fri` is the first Friday after today; on a Friday, the one a week from now.
/// - `this fri` is the same, except that today counts.
/// - `next fri` is the Friday of next week, weeks starting on Monday: one week later than `fri` while
///   this week still has a Friday to come, and the same as `fri` afterwards.
/// - `last fri` is the last Friday before today.
/// - `next week`, `next month` and `next year` are their first days.
/// - `end of week`, or `eow`, is Sunday. The last day of a week, month or year may be today.
pub(super) fn read(words: &[&str], today: Date) -> Read<Day> {
    let weekday = |word: &str, nth| names::weekday(word).map(|day| today.nth_weekday(nth, day));
    let (date, unsaid, used) = match words {
        ["today", ..] => (Some(Ok(today)), Unsaid::Start, 1),
        ["tomorrow" | "tmr" | "tmrw", ..] => (Some(today.tomorrow()), Unsaid::Start, 1),
        ["yesterday", ..] => (Some(today.yesterday()), Unsaid::Start, 1),
        ["this", word, ..] => (this(today, word), Unsaid::Start, 2),
        ["next", word, ..] => (next(today, word), Unsaid::Start, 2),
        ["last", word, ..] => (weekday(word, -1), Unsaid::Start, 2),
        ["end", "of", "the", word, ..] => (end_of(today, word), Unsaid::End, 4),
        ["end", "of", word, ..] => (end_of(today, word), Unsaid::End, 3),
        ["eod", ..] => (end_of(today, "day"), Unsaid::End, 1),
        ["eow", ..] => (end_of(today, "week"), Unsaid::End, 1),
        ["eom", ..] => (end_of(today, "month"), Unsaid::End, 1),
        ["eoy", ..] => (end_of(today, "year"), Unsaid::End, 1),
        [word, ..] => (weekday(word, 1), Unsaid::Start, 1),
        [] => return Ok(None),
    };
    let Some(date) = date else { return Ok(None) };
    let date = date.map_err(|_| range::outside()).and_then(range::day)?;
    Ok(Some((Day { date, unsaid }, used)))
}

/// None if the word names no day; an error if the calendar ends before it.
type Found = Option<Result<Date, Error>>;

fn this(today: Date, word: &str) -> Found {
    let day = names::weekday(word)?;
    Some(if day == today.weekday() { Ok(today) } else { today.nth_weekday(1, day) })
}

fn next(today: Date, word: &str) -> Found {
    let monday = today.nth_weekday(1, Weekday::Monday);
    Some(match (word, names::weekday(word)) {
        ("week", _) => monday,
        ("month", _) => today.last_of_month().tomorrow(),
        ("year", _) => today.last_of_year().tomorrow(),
        (_, Some(day)) => {
            monday.and_then(|monday| monday.checked_add(day.to_monday_zero_offset().days()))
        }
        (_, None) => return None,
    })
}

fn end_of(today: Date, word: &str) -> Found {
    Some(match word {
        "day" => Ok(today),
        "week" => today.checked_add((6 - today.weekday().to_monday_zero_offset()).days()),
        "month" => Ok(today.last_of_month()),
        "year" => Ok(today.last_of_year()),
        _ => return None,
    })
}
