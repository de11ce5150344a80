//! Dormouse's own format: everything, in JSON, a record a line.

mod read;
mod write;

pub(super) use read::{body, gone, read, tie};
pub(super) use write::write;
