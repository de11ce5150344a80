//! How long what failed is left alone: a full disk stays full for a while.

use std::time::Duration;

/// The pause after a first failure, and the longest.
pub(crate) const SHORTEST: Duration = Duration::from_secs(1);
pub(crate) const LONGEST: Duration = Duration::from_secs(60);

/// The pause after so many failures in a row: twice as long each time, up to a minute.
#[must_use]
pub fn after(failures: u32) -> Duration {
    SHORTEST.saturating_mul(1 << failures.saturating_sub(1).min(6)).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_doubles_up_to_a_minute() {
        let seconds = [1, 2, 3, 4, 5, 6, 7, 8, u32::MAX].map(|n| after(n).as_secs());
        assert_eq!(seconds, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
    }
}
