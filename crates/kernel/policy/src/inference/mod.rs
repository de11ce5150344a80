//! The gate before a model, as decisions: whether this agent may ask this model now, with what it is about
//! to send and to spend.
//!
//! It stands before everything that leaves the machine. Whoever asks a model needs a [`Permitted`], and
//! only [`judge`] makes one. Secrets and destinations are judged by those who hold them, when the request
//! is sent.

mod access;
mod judge;
mod permitted;
mod request;
mod rule;
mod snapshot;

pub use access::{Access, Narrowing};
pub use judge::{Check, ORDER, judge};
pub use permitted::Permitted;
pub use request::Request;
pub use rule::budget::allows_calls;
pub use rule::consent::agreed_to;
pub use snapshot::Snapshot;
