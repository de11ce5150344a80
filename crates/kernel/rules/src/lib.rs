//! Verbs without effects: keys, clocks, transitions, tokens, facts.
//!
//! Every function here is a function of its arguments. None reads a clock, a disk or chance, so
//! two hosts that are given the same values decide the same.

pub mod admission;
pub mod audit;
pub mod budget;
pub mod canonical;
pub mod change;
pub mod clock;
pub mod consent;
pub mod content;
pub mod day;
pub mod dormancy;
pub mod facts;
pub mod failures;
pub mod freshness;
pub mod hash;
pub mod host;
pub mod image;
pub mod lifecycle;
pub mod listing;
pub mod mark;
pub mod matching;
pub mod naming;
pub mod obligation;
pub mod operation;
pub mod order;
pub mod pace;
pub mod planted;
pub mod predicate;
pub mod quota;
pub mod rank;
pub mod reference;
pub mod report;
pub mod reserve;
pub mod run_key;
pub mod schedule;
pub mod session;
pub mod span;
pub mod summary;
pub mod suppress;
pub mod thread;
pub mod token;
pub mod trim;
pub mod turn;
pub mod wait;
pub mod when;
pub mod words;
