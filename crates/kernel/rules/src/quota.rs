//! Days by which calls of tools are counted.

use types::At;

/// How long a day is, from the first call that it counts.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Whether a day that was opened is still open: 24 hours from its first call. One that lies more than
/// a day ahead was opened by a clock that has been put right since, and holds nobody up.
#[must_use]
pub fn is_open(opened_at: At, now: At) -> bool {
    let closes_at = opened_at.plus_millis(DAY_MS);
    now < closes_at && now > opened_at.plus_millis(-DAY_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_closes_24_hours_after_its_first_call() {
        let opened = At::from_millis(1_800_000_000_000);
        assert!(is_open(opened, opened));
        assert!(is_open(opened, opened.plus_millis(DAY_MS - 1)));
        assert!(!is_open(opened, opened.plus_millis(DAY_MS)));
        // The clock was set back a little: the day goes on. A clock that was a year ahead is forgotten.
        assert!(is_open(opened, opened.plus_millis(-60_000)));
        assert!(!is_open(opened, opened.plus_millis(-365 * DAY_MS)));
    }
}
