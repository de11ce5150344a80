//! The embedded dispatcher: a task per active agent in this process, and nothing per sleeping one.

mod dispatcher;
mod floor;
mod pause;
mod rest;
mod told;

pub use dispatcher::Embedded;
pub use pause::after as pause_after;
pub use rest::{at_rest, executor};
