//! Dormouse: configuration, choice of adapters, start.

mod backup;
mod examined;
mod in_process;
mod local;
mod lock;
mod models;
mod serve;
mod setup;
mod stop;
mod templates;
mod told;
mod trouble;
mod up;
mod voice;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: host::Allocator = host::Allocator;

fn main() -> ExitCode {
    host::give_memory_back_soon();
    host::outlive_the_limit_of_files();
    cli::main(std::env::args_os(), &local::Local)
}
