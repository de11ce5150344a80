//! Turns: from a prompt at the door to the end of its run, beside the floor turn.

mod age;
mod alone;
mod crowd;
mod floor;
mod house;
mod idle;
mod memory;
mod noting;
mod report;
mod run;
mod script;
mod setup;
mod written;

pub(crate) use memory::resident_after_runs;
pub(crate) use run::run;
