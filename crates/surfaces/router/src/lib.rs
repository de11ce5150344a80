//! From requests to services and back: the one router, in process or behind a server.

mod agents;
mod brief;
mod consent;
mod hear;
mod journal;
mod replies;
mod report;
mod route;
mod schedules;
mod sessions;

pub use hear::{Ended, Heard, Hearing};
pub use route::{Backup, Router};
