//! The trait.

use std::pin::Pin;

use types::{At, Ulid};

/// Time that passes, until it has.
pub type Passing = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Where time and chance come from.
pub trait World: Send + Sync {
    /// The present instant. It may jump, both ways: people set clocks.
    fn now(&self) -> At;

    /// The name of the zone whose wall clock this host goes by, such as `Europe/Berlin`. It may
    /// change: people travel.
    fn zone(&self) -> String;

    /// A fresh random number, unpredictable in production.
    fn random(&self) -> u128;

    /// Is over when so many milliseconds have passed, whatever people do to the clock meanwhile. Nothing passes
    /// unless somebody waits for it.
    fn pass(&self, millis: u64) -> Passing;

    /// A fresh time-ordered id without its kind.
    fn ulid(&self) -> Ulid {
        Ulid::new(self.now(), self.random())
    }
}
