//! The verbs of the journal, each against a real store: what it does, what it refuses, and the way back.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod carrying;
mod categories;
mod checklists;
mod days;
mod desk;
mod entries;
mod exchange;
mod labels;
mod meeting;
mod offers;
mod plans;
mod races;
mod ratings;
mod reading;
mod relations;
mod searching;
mod tasks;
mod times;
mod undoing;
