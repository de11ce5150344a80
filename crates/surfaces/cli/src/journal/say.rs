//! Lengths and days as people say them.

use api_types::Day;

/// A length: `45m`, `2h`, `1h 30m`.
pub(crate) fn minutes(minutes: i64) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes}m"),
        (hours, 0) => format!("{hours}h"),
        (hours, minutes) => format!("{hours}h {minutes}m"),
    }
}

/// A day: `Fri 20 Nov`, with its year if that is another one.
pub(crate) fn day(day: Day, today: Day) -> String {
    let same = day.date().year() == today.date().year();
    day.date().strftime(if same { "%a %-d %b" } else { "%-d %b %Y" }).to_string()
}

/// The heading of a day: `Friday 20 November 2026`.
pub(crate) fn heading(day: Day) -> String {
    day.date().strftime("%A %-d %B %Y").to_string()
}

/// When something is due, as one says it on a day: `17:00`, `Fri 20 Nov`, `Fri 20 Nov 9:00`. Nothing
/// for what is due on that very day at whatever time.
pub(crate) fn due(due: &str, today: Day) -> Option<String> {
    let (date, time) = due.split_once('T').map_or((due, None), |(date, time)| (date, Some(time)));
    let Ok(date) = date.parse::<Day>() else { return Some(due.to_owned()) };
    match (date == today, time) {
        (true, time) => time.map(str::to_owned),
        (false, None) => Some(day(date, today)),
        (false, Some(time)) => Some(format!("{} {time}", day(date, today))),
    }
}

/// Some words in a row, the rest counted: `a, b and 3 more`.
pub(crate) fn some<'a>(words: impl ExactSizeIterator<Item = &'a str>, shown: usize) -> String {
    let rest = words.len().saturating_sub(shown);
    let first: Vec<&str> = words.take(shown).collect();
    match rest {
        0 => first.join(", "),
        rest => format!("{} and {rest} more", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_due_date_is_said_as_short_as_it_is_clear() {
        let today: Day = "2026-11-20".parse().unwrap();
        for (text, said) in [
            ("2026-11-20", None),
            ("2026-11-20T17:00", Some("17:00")),
            ("2026-11-18", Some("Wed 18 Nov")),
            ("2026-11-18T09:00", Some("Wed 18 Nov 09:00")),
            ("2025-11-18", Some("18 Nov 2025")),
        ] {
            assert_eq!(due(text, today).as_deref(), said);
        }
        assert_eq!(some(["a", "b", "c"].into_iter(), 2), "a, b and 1 more");
        assert_eq!([45, 120, 90].map(minutes), ["45m", "2h", "1h 30m"]);
    }
}
