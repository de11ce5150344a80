//! Turns: names that follow from a run, whether it gets anywhere, how it fails, and how it leaves its
//! agent.

mod closure;
mod dialog;
mod name;
mod progress;
mod recovery;

pub use closure::{Facts, close};
pub use dialog::{DialogAct, classify};
pub use name::{id, interjection_id, message_id, round_id, said_id};
pub use progress::{Progress, Step};
pub use recovery::{FailureType, Strategy, classify as classify_failure, code, strategy};
