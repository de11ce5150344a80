//! The outside world as far as it is not data: the time, and chance.
//!
//! Everything above takes both from here, so that a simulator can own them. `adapters/host` asks
//! the machine; the testkit has a clock that stands still and dice that are seeded.

mod port;

pub use port::{Passing, World};
