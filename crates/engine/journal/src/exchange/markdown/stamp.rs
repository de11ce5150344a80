//! Instants as Markdown shows them: to the minute, in UTC, so that they mean the same everywhere.

use types::{At, Day};

/// An instant: `2026-11-15 08:30 UTC`; absent if it lies outside of what a calendar shows.
pub(super) fn stamp(at: At) -> Option<String> {
    let text = at.to_string();
    let shown = format!("{} {} UTC", text.get(..10)?, text.get(11..16)?);
    unstamp(&shown).map(|_| shown)
}

/// The instant that is shown.
pub(super) fn unstamp(shown: &str) -> Option<At> {
    let (day, time) = shown.strip_suffix(" UTC")?.split_once(' ')?;
    let (hour, minute) = time.split_once(':')?;
    if day.parse::<Day>().is_err() || hour.len() != 2 || minute.len() != 2 {
        return None;
    }
    format!("{day}T{time}:00Z").parse().ok()
}

/// The instant that stands above a note: `*2026-11-15 08:30 UTC*`, and perhaps more behind it.
pub(super) fn above(line: &str) -> Option<At> {
    let (shown, _) = line.strip_prefix('*')?.split_once('*')?;
    unstamp(shown)
}

/// The day of an instant in UTC; the first of all days if it has none.
pub(super) fn day(at: At) -> Day {
    rules::day::of(at, "UTC")
}

/// The hours and minutes of an instant: `08:30`.
pub(super) fn clock(at: At) -> String {
    at.to_string().get(11..16).unwrap_or("?").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_shown_to_the_minute() {
        let at: At = "2026-11-15T08:30:12.345Z".parse().unwrap();
        assert_eq!(stamp(at).unwrap(), "2026-11-15 08:30 UTC");
        assert_eq!(
            unstamp("2026-11-15 08:30 UTC").unwrap().to_string(),
            "2026-11-15T08:30:00.000Z"
        );
        assert_eq!(stamp(At::from_millis(i64::MAX)), None);
        for other in ["2026-11-15 8:30 UTC", "2026-13-15 08:30 UTC", "2026-11-15 08:30", "x UTC"] {
            assert_eq!(unstamp(other), None, "{other}");
        }
    }
}
