//! Amounts of time: `3 days`, `45 min`, `1h30`, `1.5h`.

use jiff::Span;

use super::digits::{is_number, number};
use super::range;
use super::spoken::Read;

/// Digits that a number may have.
const DIGITS_MAX: usize = 6;

/// Thousandths: the smallest part of an hour that is told apart.
const PARTS: i64 = 1_000;

/// An amount by the calendar, by the clock, or both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Amount {
    months: i64,
    days: i64,
    /// None if neither hours nor minutes were said: three days are not three times 24 hours.
    minutes: Option<i64>,
}

impl Amount {
    /// Hours and minutes alone; none if there are days in it.
    pub(super) fn only_minutes(self) -> Option<i64> {
        self.minutes.filter(|_| self.months == 0 && self.days == 0)
    }

    /// Whether it goes by the calendar alone.
    pub(super) fn is_whole_days(self) -> bool {
        self.minutes.is_none()
    }

    /// The way to go from now: forwards with 1, back with -1.
    pub(super) fn span(self, sign: i64) -> Result<Span, String> {
        let span = Span::new().try_months(sign * self.months);
        let span = span.and_then(|span| span.try_days(sign * self.days));
        let span = span.and_then(|span| span.try_minutes(sign * self.minutes.unwrap_or(0)));
        span.map_err(|_| range::outside())
    }

    fn add(&mut self, number: Number, unit: Unit) -> Result<(), String> {
        let minutes = self.minutes.unwrap_or(0);
        match unit {
            Unit::Minute => self.minutes = Some(minutes + number.whole()?),
            Unit::Hour => self.minutes = Some(minutes + (number.parts * 60 + PARTS / 2) / PARTS),
            Unit::Day => self.days += number.whole()?,
            Unit::Week => self.days += number.whole()? * 7,
            Unit::Month => self.months += number.whole()?,
            Unit::Year => self.months += number.whole()? * 12,
        }
        Ok(())
    }
}

/// Reads as many words as belong to an amount.
pub(super) fn read(words: &[&str]) -> Read<Amount> {
    let pieces = pieces(words);
    let (mut amount, mut found) = (Amount::default(), None);
    let (mut next, mut hours_before) = (0, false);
    while let Some(number) = pieces.get(next).map(|piece| Number::read(piece.text)) {
        let Some(number) = number? else { break };
        let unit = pieces.get(next + 1).and_then(|piece| Unit::read(piece.text));
        match unit {
            Some(unit) => amount.add(number, unit)?,
            // `1h30`: what stands behind hours without a unit are minutes of the hour.
            None if hours_before && number.parts >= 60 * PARTS => {
                return Err("an hour has the minutes 0 to 59".to_owned());
            }
            None if hours_before => amount.add(number, Unit::Minute)?,
            None => break,
        }
        next += if unit.is_some() { 2 } else { 1 };
        hours_before = unit == Some(Unit::Hour);
        let last = &pieces[next - 1];
        if last.ends_word {
            found = Some((amount, last.word + 1));
        }
    }
    Ok(found)
}

/// A number, or what stands between two.
struct Piece<'a> {
    text: &'a str,
    /// Which word it is a part of.
    word: usize,
    ends_word: bool,
}

fn pieces<'a>(words: &[&'a str]) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    for (word, mut rest) in words.iter().copied().enumerate() {
        while let Some(first) = rest.chars().next() {
            let same = |c: char| is_numeric(c) == is_numeric(first);
            let end = rest.find(|c| !same(c)).unwrap_or(rest.len());
            let (text, behind) = rest.split_at(end);
            pieces.push(Piece { text, word, ends_word: behind.is_empty() });
            rest = behind;
        }
    }
    pieces
}

fn is_numeric(c: char) -> bool {
    c.is_ascii_digit() || c == '.' || c == ','
}

/// A number with up to three decimal places.
#[derive(Debug, Clone, Copy)]
struct Number {
    /// In thousandths.
    parts: i64,
}

impl Number {
    fn read(text: &str) -> Result<Option<Number>, String> {
        if matches!(text, "a" | "an" | "one") {
            return Ok(Some(Number { parts: PARTS }));
        }
        let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, "0"));
        if !is_number(whole) || !is_number(part) {
            return Ok(None);
        }
        if whole.len() > DIGITS_MAX {
            return Err("the number is too large".to_owned());
        }
        let thousandths: String = part.chars().chain("000".chars()).take(3).collect();
        Ok(Some(Number { parts: number(whole) * PARTS + number(&thousandths) }))
    }

    fn whole(self) -> Result<i64, String> {
        if self.parts % PARTS != 0 {
            return Err("only hours can have a fraction".to_owned());
        }
        Ok(self.parts / PARTS)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

impl Unit {
    fn read(word: &str) -> Option<Unit> {
        Some(match word {
            "m" | "min" | "mins" | "minute" | "minutes" => Unit::Minute,
            "h" | "hr" | "hrs" | "hour" | "hours" => Unit::Hour,
            "d" | "day" | "days" => Unit::Day,
            "w" | "wk" | "wks" | "week" | "weeks" => Unit::Week,
            "mo" | "month" | "months" => Unit::Month,
            "y" | "yr" | "yrs" | "year" | "years" => Unit::Year,
            _ => return None,
        })
    }
}
