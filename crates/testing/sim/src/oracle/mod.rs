//! The judges: plain readings of what must hold, over the book and the files.

mod changes;
mod civil;
mod judge;
mod runs;
mod signals;
mod slots;
mod waits;

pub(crate) use judge::{at_the_end, settled};
