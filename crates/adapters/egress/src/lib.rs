//! The one way out: nothing else in Dormouse opens a connection to another host.
//!
//! It goes to the destinations that it was made with and nowhere else; anything else is refused before
//! a name is looked up. It follows no redirect, reads a bounded answer in bounded time, and keeps
//! connections that are still good. It knows nothing of what is sent. What a kept connection gave back
//! unsent goes out by another one; what may have been read is never sent again.

mod answer;
mod check;
mod connect;
mod destination;
mod error;
mod limits;
mod pool;
mod send;
mod tls;

pub use answer::Answer;
pub use destination::{Destination, Scheme};
pub use error::{Error, Stage};
pub use limits::Limits;
pub use send::{Egress, Outgoing};
// What callers hand in and get back, so that nobody else needs an HTTP crate.
pub use hyper::body::Bytes;
pub use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
