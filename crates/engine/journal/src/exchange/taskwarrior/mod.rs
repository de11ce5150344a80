//! What `task export` of Taskwarrior writes.
//!
//! | there | here |
//! |---|---|
//! | `description` | title; the whole of it in a note if it does not fit |
//! | `status` | pending is open, or in progress if it was started; waiting and recurring are on hold; completed is done; deleted is left out |
//! | `entry`, `end`, `due` | when it was made, closed and is due |
//! | `priority` H, M, L | p1, p2, p3 |
//! | `project` | the category of its first part; the whole as a label if it has more |
//! | `tags` | labels |
//! | `annotations` | notes |
//! | `depends` | the other task blocks this one |
//! | all else | lines of one note; `id` and `urgency` are Taskwarrior's own sums and are left behind |

mod date;
mod read;
mod task;

pub(super) use read::read;
