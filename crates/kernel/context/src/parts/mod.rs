//! The parts that are data, each made from what was seen and left out if there is nothing to say.

mod delta;
mod hints;
mod history;
mod input;
mod linked;
mod lists;
mod notes;
mod report;
mod task;
mod wake;

pub(crate) use delta::delta;
pub(crate) use hints::hints;
pub(crate) use history::history;
pub(crate) use input::input;
pub(crate) use linked::linked;
pub(crate) use notes::notes;
pub(crate) use report::report;
pub(crate) use task::task;
pub(crate) use wake::wake;
