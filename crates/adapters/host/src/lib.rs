//! The machine's own clock and chance: the one place that asks for either.

mod machine;

pub use machine::Machine;
