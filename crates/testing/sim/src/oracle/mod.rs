//! The judges: plain readings of what must hold, over the book and the files.

mod budgets;
mod changes;
mod civil;
mod clocks;
mod effects;
mod failures;
mod inputs;
mod judge;
mod replays;
mod runs;
mod signals;
mod slots;
mod turns;
mod undos;
mod waits;

pub(crate) use judge::{at_the_end, settled};
