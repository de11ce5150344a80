//! Whole turns with a scripted model, from what wakes an agent to what it leaves.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod account;
mod again;
mod agreed;
mod asked;
mod breaks;
mod budgets;
mod cancels;
mod chain;
mod classes;
mod facts;
mod fitting;
mod grounding;
mod hands;
mod hinted;
mod house;
mod idle;
mod leaves;
mod meaning;
mod offered;
mod once;
mod outside;
mod prompts;
mod questions;
mod recovery;
mod replayed;
mod rerun;
mod sessions;
mod several;
mod spending;
mod story;
mod summing;
mod templates;
mod thrown_in;
mod told;
mod trimmed;
