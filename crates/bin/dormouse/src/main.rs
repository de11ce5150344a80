//! Dormouse: configuration, choice of adapters, start.

mod local;
mod serve;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main(std::env::args_os(), &local::Local)
}
