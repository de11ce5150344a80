//! Power cuts, kills, and whether the verdict over them can be trusted.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cuts;
mod kills;
mod notices;
mod soon;
mod turns;
