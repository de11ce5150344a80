//! From requests to services and back: the one router, in process or behind a server.

mod agents;
mod journal;
mod replies;
mod route;
mod schedules;

pub use route::Router;
