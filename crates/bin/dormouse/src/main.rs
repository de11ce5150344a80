//! Dormouse: configuration, choice of adapters, start.

mod local;
mod models;
mod serve;
mod setup;
mod templates;
mod up;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main(std::env::args_os(), &local::Local)
}
