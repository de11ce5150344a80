//! Verbs without effects: keys, clocks, transitions, tokens, facts.
//!
//! Every function here is a function of its arguments. None reads a clock, a disk or chance, so
//! two hosts that are given the same values decide the same.

pub mod audit;
pub mod canonical;
pub mod change;
pub mod clock;
pub mod facts;
pub mod hash;
pub mod lifecycle;
pub mod matching;
pub mod operation;
pub mod run_key;
pub mod thread;
pub mod token;
