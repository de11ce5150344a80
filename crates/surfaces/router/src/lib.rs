//! From requests to services and back: the one router, in process or behind a server.

mod replies;
mod route;

pub use route::Router;
