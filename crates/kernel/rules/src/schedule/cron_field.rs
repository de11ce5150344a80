//! One field of a cron line: a list of values, ranges and steps.

use std::ops::RangeInclusive;

const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/// What a field of a line may hold.
pub(super) struct Field {
    name: &'static str,
    min: u32,
    max: u32,
    /// Where `*` ends: a week has seven days although Sunday is both 0 and 7.
    star_max: u32,
    names: &'static [&'static str],
}

/// The fields in their order on a line.
pub(super) const FIELDS: [Field; 5] = [
    Field { name: "minute", min: 0, max: 59, star_max: 59, names: &[] },
    Field { name: "hour", min: 0, max: 23, star_max: 23, names: &[] },
    Field { name: "day-of-month", min: 1, max: 31, star_max: 31, names: &[] },
    Field { name: "month", min: 1, max: 12, star_max: 12, names: &MONTHS },
    Field { name: "day-of-week", min: 0, max: 7, star_max: 6, names: &WEEKDAYS },
];

impl Field {
    /// The values that the text stands for, one bit each; or what is wrong with it.
    pub(super) fn read(&self, text: &str) -> Result<u64, String> {
        let mut values = 0;
        for item in text.split(',') {
            let (range, step) = match item.split_once('/') {
                None => (self.range(item)?, 1),
                Some((base, _)) if base != "*" && !base.contains('-') => {
                    return Err(self.has(item, "where a step needs a range or *"));
                }
                Some((base, step)) => (self.range(base)?, self.step(step)?),
            };
            for value in range.step_by(step) {
                values |= 1 << value;
            }
        }
        Ok(values)
    }

    fn range(&self, text: &str) -> Result<RangeInclusive<u32>, String> {
        if text == "*" {
            return Ok(self.min..=self.star_max);
        }
        let Some((first, last)) = text.split_once('-') else {
            return self.value(text).map(|value| value..=value);
        };
        let (first, mut last_value) = (self.value(first)?, self.value(last)?);
        // `FRI-SUN` means the end of a week; only as a name, since `5-0` is more likely a slip.
        if self.max > self.star_max && last.eq_ignore_ascii_case("SUN") {
            last_value = self.max;
        }
        if first > last_value {
            return Err(self.has(text, "which runs backwards"));
        }
        Ok(first..=last_value)
    }

    fn value(&self, text: &str) -> Result<u32, String> {
        if text.is_empty() {
            return Err(format!("the {} field has an empty place", self.name));
        }
        if let Some(index) = self.names.iter().position(|name| name.eq_ignore_ascii_case(text)) {
            let index = u32::try_from(index).expect("a year has twelve months");
            return Ok(self.min + index);
        }
        let value = self.number(text)?;
        if value < self.min {
            return Err(self.has(text, &format!("which is below {}", self.min)));
        }
        Ok(value)
    }

    fn step(&self, text: &str) -> Result<usize, String> {
        match self.number(text)? {
            0 => Err(format!("the {} field has a step of 0", self.name)),
            step => Ok(usize::try_from(step).expect("a step is below 60")),
        }
    }

    fn number(&self, text: &str) -> Result<u32, String> {
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            let what = if self.names.is_empty() { "a number" } else { "a number or a name" };
            return Err(self.has(text, &format!("which is not {what}")));
        }
        match text.parse() {
            Ok(value) if value <= self.max => Ok(value),
            _ => Err(self.has(text, &format!("which is above {}", self.max))),
        }
    }

    fn has(&self, text: &str, why: &str) -> String {
        let shown = if text.is_empty() { "nothing" } else { text };
        format!("the {} field has {shown}, {why}", self.name)
    }
}
