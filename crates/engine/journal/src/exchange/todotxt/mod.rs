//! todo.txt: a task a line.
//!
//! | there | here |
//! |---|---|
//! | `x` and the date behind it | done, and when |
//! | `(A)` to `(D)` | p0 to p3; later letters are p3 and stay readable as `pri:E` |
//! | the date before the words | when it was made |
//! | `+project`, `@context` | labels of these names; at the end of a line they leave the title |
//! | `due:2026-11-20` | when it is due |
//! | `key:value` | stays in the title |
//!
//! A day is taken as its noon in UTC, which is on that day nearly everywhere.

mod line;
mod read;

pub(super) use read::read;
