//! Compaction: which of an agent's older messages are to be summarised, and how without a model.
//!
//! Messages stay as they are; a summary stands for them in prompts. A new summary takes in the one before
//! it, so one is enough for any past, and it never grows. Whoever carries out a plan writes the summary,
//! its links and the pointer to it in one commit, under an id that follows from the span
//! (`rules::summary`), so that the same plan carried out again changes nothing.

mod extract;
mod plan;

pub use extract::{EXTRACTOR, extract};
pub use plan::{Bounds, Earlier, Plan, Raw, plan};
