//! The pages of a file that a connection has in memory.

mod shelf;

pub(crate) use shelf::Shelf;
