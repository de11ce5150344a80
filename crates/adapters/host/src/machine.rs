//! The machine as a [`World`].

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use types::{At, Ulid};
use world::{Passing, World};

use crate::zone;

/// The end of the year 9998.
const LATEST_MS: i64 = 253_370_764_799_999;

/// The machine that Dormouse runs on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Machine;

impl World for Machine {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
    fn now(&self) -> At {
        let since_epoch = match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
            // A clock set before 1970 is wrong, but no reason to stop.
            Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
        };
        // Nor is one that says what no text of an instant can say: what is written would not be read again.
        At::from_millis(since_epoch.min(LATEST_MS))
    }

    fn zone(&self) -> String {
        zone::name(self.now())
    }

    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks for chance")]
    fn random(&self) -> u128 {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).expect("the operating system has randomness");
        u128::from_ne_bytes(bytes)
    }

    fn pass(&self, millis: u64) -> Passing {
        Box::pin(tokio::time::sleep(Duration::from_millis(millis)))
    }

    fn ulid(&self) -> Ulid {
        static LAST: Mutex<Option<Ulid>> = Mutex::new(None);
        // The clock is read by whoever holds the lock, or two could pass each other.
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = Ulid::new(self.now(), self.random());
        let next = last.map_or(fresh, |last| fresh.after(last));
        *last = Some(next);
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_knows_that_it_is_after_2026_and_does_not_repeat_itself() {
        assert!(Machine.now() > "2026-01-01T00:00:00Z".parse().unwrap());
        assert_ne!(Machine.random(), Machine.random());
    }

    #[tokio::test(start_paused = true)]
    async fn time_passes_for_those_who_wait_for_it() {
        let began = tokio::time::Instant::now();
        Machine.pass(30_000).await;
        assert_eq!(began.elapsed().as_secs(), 30);
    }

    #[test]
    fn ids_that_are_made_in_a_row_follow_each_other() {
        let made: Vec<Ulid> = (0..10_000).map(|_| Machine.ulid()).collect();
        assert!(made.is_sorted_by(|one, next| one < next), "two of them are out of order");
    }
}
