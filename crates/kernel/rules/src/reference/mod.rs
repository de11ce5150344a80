//! Which task somebody means who refers to it in words.
//!
//! [`rank`] puts the candidates in order and says how sure it is. It never decides: whoever wants to
//! change a task after this asks first unless the verdict leaves no doubt. Words are compared after
//! folding, so case, accents and punctuation do not matter; what words mean is not looked at.

mod fold;
mod rank;
mod score;
mod slip;
mod verdict;

pub use rank::{Candidate, MATCHES_MAX, Match, Ranking, rank};
pub use verdict::Verdict;
