//! What a text says: its parts, in whatever order they come.

use jiff::Timestamp;
use jiff::civil::{Date, Time};

use super::clock_time::ClockTime;
use super::here::Here;
use super::shift::Shift;
use super::words::{self, Words};
use super::{calendar, clock_time, day_word, range, shift};

/// Bytes of a text: every form fits several times, a document does not.
const TEXT_BYTES_MAX: usize = 100;

/// What a reader found at the beginning of some words, and how many of them it used; nothing, if
/// they have another form; or why there is no such thing, if the form is the right one.
pub(super) type Read<T> = Result<Option<(T, usize)>, String>;

/// What a text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spoken {
    /// An instant, wherever one is.
    Instant(Timestamp),
    /// A day, perhaps with a time.
    Day(Day, Option<Time>),
    /// A time of whatever day it is.
    Time(Time),
}

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Day {
    pub(super) date: Date,
    /// Which of its instants is meant if no time is said.
    pub(super) unsaid: Unsaid,
}

/// An instant of a day whose time is not said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unsaid {
    /// Its first: `tomorrow`.
    Start,
    /// The one after its last: `end of month`.
    End,
    /// When clocks show what they show now: `in 3 days`.
    SameClock,
}

/// Reads a text; none if it has no form that is known.
pub(super) fn read(text: &str, here: &Here) -> Result<Option<Spoken>, String> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(format!("it has {} bytes, the limit is {TEXT_BYTES_MAX}", text.len()));
    }
    let small = text.to_lowercase();
    let spaced_once: Vec<&str> = small.split_whitespace().collect();
    if let Ok(instant) = spaced_once.join(" ").parse() {
        return range::instant(instant).map(|at| Some(Spoken::Instant(at)));
    }
    let Words { list, offset } = words::split(&small);
    if list == ["now"] {
        return range::instant(here.now()).map(|at| Some(Spoken::Instant(at)));
    }
    let Some(heard) = listen(&list, here)? else { return Ok(None) };
    match offset {
        Some(_) => {
            Err("what follows the time is not an offset like \"+01:00\" or \"Z\"".to_owned())
        }
        None => heard.together(),
    }
}

fn listen(mut words: &[&str], here: &Here) -> Result<Option<Heard>, String> {
    let mut heard = Heard::default();
    while !words.is_empty() {
        let Some((part, used)) = part(words, here)? else { return Ok(None) };
        heard.take(part)?;
        words = &words[used..];
    }
    Ok(Some(heard))
}

#[derive(Debug, Clone, Copy)]
enum Part {
    Instant(Timestamp),
    Day(Day),
    Time(ClockTime),
}

fn part(words: &[&str], here: &Here) -> Read<Part> {
    match words {
        ["on", behind @ ..] => {
            return Ok(day(behind, here)?.map(|(day, n)| (Part::Day(day), n + 1)));
        }
        ["at", behind @ ..] => {
            let certain = |time| Part::Time(ClockTime { maybe_day: false, ..time });
            return Ok(clock_time::read(behind)?.map(|(time, n)| (certain(time), n + 1)));
        }
        _ => {}
    }
    if let Some((shift, used)) = shift::read(words, here)? {
        let part = match shift {
            Shift::Day(date) => Part::Day(Day { date, unsaid: Unsaid::SameClock }),
            Shift::Instant(at) => Part::Instant(at),
        };
        return Ok(Some((part, used)));
    }
    if let Some((day, used)) = day(words, here)? {
        return Ok(Some((Part::Day(day), used)));
    }
    Ok(clock_time::read(words)?.map(|(time, used)| (Part::Time(time), used)))
}

fn day(words: &[&str], here: &Here) -> Read<Day> {
    if let Some((date, used)) = calendar::read(words, here.today())? {
        return Ok(Some((Day { date, unsaid: Unsaid::Start }, used)));
    }
    day_word::read(words, here.today())
}

/// The parts of a text, each at most once.
#[derive(Default)]
struct Heard {
    instant: Option<Timestamp>,
    day: Option<Day>,
    time: Option<ClockTime>,
}

impl Heard {
    fn take(&mut self, part: Part) -> Result<(), String> {
        let (again, what) = match part {
            Part::Instant(at) => (self.instant.replace(at).is_some(), "spans from now"),
            Part::Day(day) => (self.day.replace(day).is_some(), "days"),
            Part::Time(time) => (self.time.replace(time).is_some(), "times"),
        };
        if again { Err(format!("it names two {what}")) } else { Ok(()) }
    }

    fn together(self) -> Result<Option<Spoken>, String> {
        match self {
            Heard { instant: Some(at), day: None, time: None } => Ok(Some(Spoken::Instant(at))),
            Heard { instant: Some(_), .. } => {
                Err("hours and minutes from now leave no choice of a day or a time".to_owned())
            }
            Heard { day: Some(day), time, .. } => {
                Ok(Some(Spoken::Day(day, time.map(|time| time.time))))
            }
            Heard { time: Some(ClockTime { time, maybe_day: true }), .. } => {
                let (hour, minute) = (time.hour(), time.minute());
                Err(format!(
                    "it is the time \"{hour}:{minute:02}\" or the day \"{hour}.{minute}.\""
                ))
            }
            Heard { time: Some(time), .. } => Ok(Some(Spoken::Time(time.time))),
            Heard { .. } => Ok(None),
        }
    }
}
