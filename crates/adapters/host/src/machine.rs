//! The machine as a [`World`].

use std::time::{SystemTime, UNIX_EPOCH};

use types::At;
use world::World;

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
        At::from_millis(since_epoch)
    }

    fn zone(&self) -> String {
        // Only the name: what it means is looked up in the zones that come with the program.
        let system = jiff::tz::TimeZone::try_system().ok();
        system.as_ref().and_then(|zone| zone.iana_name()).unwrap_or("UTC").to_owned()
    }

    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks for chance")]
    fn random(&self) -> u128 {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).expect("the operating system has randomness");
        u128::from_ne_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_knows_that_it_is_after_2026_and_does_not_repeat_itself() {
        assert!(Machine.now() > "2026-01-01T00:00:00Z".parse().unwrap());
        assert_ne!(Machine.random(), Machine.random());
        assert_ne!(Machine.ulid(), Machine.ulid());
    }
}
