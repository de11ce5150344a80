//! The full check: is the file whole, and do its tables tell one story?
//!
//! It reads everything, so it is not part of opening: `doctor` runs it, and after an unclean stop it
//! runs in the background. The power-cut and kill tests judge by it too.

mod agreement;
mod background;
mod chains;
mod indexes;
mod marks;
mod report;
mod run;

pub(crate) use background::BackgroundCheck;
pub use report::CheckReport;
pub(crate) use run::{check, check_until};

/// At most this many findings of a kind: a damaged file can have millions.
const FINDINGS_MAX: usize = 20;
