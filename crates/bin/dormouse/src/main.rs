//! Dormouse: configuration, choice of adapters, start.

mod in_process;
mod local;
mod models;
mod serve;
mod setup;
mod templates;
mod up;

use std::process::ExitCode;

/// Small allocations on several threads were a seventh of a turn's time with the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::main(std::env::args_os(), &local::Local)
}
