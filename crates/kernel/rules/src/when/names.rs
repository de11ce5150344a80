//! The names of months and weekdays, long and short.

use jiff::civil::Weekday;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Letters of the shortest name: fewer could stand for two.
const SHORT: usize = 3;

/// The number of a month from its name or a beginning of it: `nov`, `sept`, `nov.`
pub(super) fn month(word: &str) -> Option<i8> {
    i8::try_from(position(&MONTHS, word)? + 1).ok()
}

/// A weekday from its name or a beginning of it: `mon`, `thurs`, `fri.`
pub(super) fn weekday(word: &str) -> Option<Weekday> {
    let offset = i8::try_from(position(&WEEKDAYS, word)?).ok()?;
    Weekday::from_monday_zero_offset(offset).ok()
}

/// The long name of a month.
pub(super) fn month_name(month: i8) -> &'static str {
    let index = usize::try_from(month - 1).expect("months count from 1");
    MONTHS[index]
}

/// The long name of a weekday.
pub(super) fn weekday_name(weekday: Weekday) -> &'static str {
    let index = usize::try_from(weekday.to_monday_zero_offset()).expect("weekdays count from 0");
    WEEKDAYS[index]
}

/// The short form of a name.
pub(super) fn short(name: &'static str) -> &'static str {
    &name[..SHORT]
}

fn position(names: &[&str], word: &str) -> Option<usize> {
    let word = word.strip_suffix('.').unwrap_or(word);
    let begins = |name: &&str| name.get(..word.len()).is_some_and(|n| n.eq_ignore_ascii_case(word));
    names.iter().position(|name| word.len() >= SHORT && begins(name))
}
