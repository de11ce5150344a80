//! The machine's own clock, chance and memory: the one place that asks for any of them.

mod allocator;
mod machine;
mod memory;
mod signals;
mod zone;

pub use allocator::Allocator;
pub use machine::Machine;
pub use memory::{come_to_rest, give_memory_back_soon, tidy, tidy_after_work};
pub use signals::outlive_the_limit_of_files;
