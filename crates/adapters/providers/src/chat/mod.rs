//! Chat Completions: from a request to the wire, and from the wire to an answer. No effects.

mod events;
mod loose;
mod lower;
mod settle;
mod stream;
mod tools;
mod whole;
mod wire;

pub(crate) use lower::{Dialect, lower};
pub(crate) use stream::{Piece, Stream};
pub(crate) use tools::Written;
pub(crate) use whole::read;
