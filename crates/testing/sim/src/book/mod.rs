//! The book: what happened, as far as the simulator itself has seen it.
//!
//! It is written from the commits that were applied and from what bodies were shown, never from
//! what the program says about itself, and it shares no code with what it judges.

mod choices;
mod deeds;
mod entries;
mod failures;
mod hangs;
mod listen;
mod meanings;
mod note;
mod note_budgets;
mod note_deeds;
mod note_runs;
mod turns;
mod undos;

pub(crate) use deeds::sayings;
pub(crate) use entries::{Book, EndKind, Range, ScheduleBook, WaitBook};
pub(crate) use hangs::Hung;
pub(crate) use listen::{relevant, wants, worth_a_turn};
