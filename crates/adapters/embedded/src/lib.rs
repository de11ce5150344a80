//! The embedded dispatcher: a task per active agent in this process, and nothing per sleeping one.

mod dispatcher;
mod floor;

pub use dispatcher::Embedded;
