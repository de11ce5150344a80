//! Times of day: `9:00`, `9am`, `9:30 pm`, `14.30`, `noon`.

use jiff::civil::Time;

use super::digits::{is_number, number};
use super::spoken::Read;

/// A time of day, and whether it could also have been a day.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClockTime {
    pub(super) time: Time,
    /// `9.10` is ten past nine or the ninth of October.
    pub(super) maybe_day: bool,
}

/// Reads a time of day. `midnight` is the start of a day, as `0:00` is.
pub(super) fn read(words: &[&str]) -> Read<ClockTime> {
    let Some(first) = words.first() else { return Ok(None) };
    let named = match *first {
        "noon" => Some(Time::constant(12, 0, 0, 0)),
        "midnight" => Some(Time::midnight()),
        _ => None,
    };
    if let Some(time) = named {
        return Ok(Some((ClockTime { time, maybe_day: false }, 1)));
    }
    let behind = words.get(1).copied().and_then(Half::read);
    let (digits, half, used) = match (Half::split(first), behind) {
        (Some((digits, half)), _) => (digits, Some(half), 1),
        (None, Some(half)) => (*first, Some(half), 2),
        (None, None) => (*first, None, 1),
    };
    Ok(by_digits(digits, half)?.map(|time| (time, used)))
}

/// The half of the day, for clocks with twelve hours.
#[derive(Debug, Clone, Copy)]
enum Half {
    Morning,
    Afternoon,
}

impl Half {
    fn read(word: &str) -> Option<Half> {
        match word {
            "am" | "a.m." => Some(Half::Morning),
            "pm" | "p.m." => Some(Half::Afternoon),
            _ => None,
        }
    }

    /// The digits before it, if it is joined to them.
    fn split(word: &str) -> Option<(&str, Half)> {
        let (digits, letters) = word.split_at(word.find(|c: char| c.is_ascii_alphabetic())?);
        Some((digits, Half::read(letters)?))
    }
}

fn by_digits(text: &str, half: Option<Half>) -> Result<Option<ClockTime>, String> {
    let parts: Vec<&str> = text.split(':').collect();
    let time = match parts[..] {
        // A bare number is an hour only if its half of the day is said.
        [hour] if half.is_some() && is_number(hour) => on_clock(hour, "00", "00", half)?,
        [dotted] => return by_dot(dotted, half),
        [hour, minute] => on_clock(hour, minute, "00", half)?,
        [hour, minute, second] => {
            let whole = second.split_once('.').filter(|(_, fraction)| is_number(fraction));
            on_clock(hour, minute, whole.map_or(second, |(whole, _)| whole), half)?
        }
        _ => None,
    };
    Ok(time.map(|time| ClockTime { time, maybe_day: false }))
}

/// `14.30`. Two numbers with a dot are a time, but somebody may have meant a day.
fn by_dot(text: &str, half: Option<Half>) -> Result<Option<ClockTime>, String> {
    let Some((hour, minute)) = text.split_once('.') else { return Ok(None) };
    let (day, month) = (number(hour), number(minute));
    let maybe_day = half.is_none() && (1..=31).contains(&day) && (1..=12).contains(&month);
    match on_clock(hour, minute, "00", half) {
        Ok(time) => Ok(time.map(|time| ClockTime { time, maybe_day })),
        Err(_) if maybe_day => Err(format!("a day has a dot at its end, like \"{text}.\"")),
        Err(why) => Err(why),
    }
}

/// None if these are not numbers; an error if no clock shows them.
fn on_clock(
    hour: &str,
    minute: &str,
    second: &str,
    half: Option<Half>,
) -> Result<Option<Time>, String> {
    if ![hour, minute, second].into_iter().all(is_number) {
        return Ok(None);
    }
    if minute.len() != 2 || second.len() != 2 {
        return Err("minutes and seconds have two digits".to_owned());
    }
    let hour = match (half, number(hour)) {
        (None, hour @ 0..=23) => hour,
        (None, _) => return Err("a day has the hours 0 to 23".to_owned()),
        (Some(Half::Morning), hour @ 1..=12) => hour % 12,
        (Some(Half::Afternoon), hour @ 1..=12) => hour % 12 + 12,
        (Some(_), _) => return Err("with am and pm, hours run from 1 to 12".to_owned()),
    };
    let small = |number: i64| i8::try_from(number).unwrap_or(i8::MAX);
    let time = Time::new(small(hour), small(number(minute)), small(number(second)), 0);
    time.map(Some).map_err(|_| "minutes and seconds run from 00 to 59".to_owned())
}
