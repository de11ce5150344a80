//! What the tests of every room share: a disc that can lose its power, a clock that stands still,
//! seeded chance, and homes that vanish.
//!
//! Nothing here is linked into the product.

mod home;
mod likeness;
pub mod model;
pub mod powercut;
mod random;
mod world;
mod year;

pub use self::model::ScriptedModel;
pub use home::TempHome;
pub use likeness::agents_like;
pub use random::Random;
pub use world::FakeWorld;
pub use year::{FINDS, RARE_WORD, Year};
