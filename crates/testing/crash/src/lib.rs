//! Proof that a commit answered `Applied` outlives a power cut and a killed process, and that what agents
//! were asked for is done once however often their process is killed.
//!
//! Seeded writers commit to both files at full speed and keep a ledger of what each commit must
//! leave and what was answered. Then the power goes, or the process dies. The verdict opens what is
//! left and compares it with the ledgers: what was acknowledged is there whole, what is in doubt is
//! there whole or not at all, and all tables tell one story.

mod compose;
pub mod cut;
mod facts;
pub mod kill;
mod ledger;
mod left;
mod life;
pub mod line;
mod look;
mod open;
mod plan;
pub mod turns;
pub mod verdict;
mod violation;
mod write;

pub use ledger::{Entry, Fate, Ledger};
pub use left::{Counts, Left, Trace};
pub use life::Planted;
pub use open::open;
pub use plan::{Plan, Step, Verb};
pub use verdict::{Verdict, judge};
pub use violation::Violation;
pub use write::{IN_FLIGHT, Told, WRITERS, Writer, quietly, run};
