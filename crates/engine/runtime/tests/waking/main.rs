//! Waking, through every room between a stimulus and the end of a run.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod bursts;
mod clocks;
mod continuing;
mod door;
mod failing_looks;
mod house;
mod idle;
mod outcomes;
mod retries;
mod stops;
mod tending;
mod waits;
mod wrong_clocks;
