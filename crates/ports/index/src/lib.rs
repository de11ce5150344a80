//! The index: what can be found by its words.
//!
//! It is derived from the journal's change log and can be deleted at any time: whoever feeds it reads
//! on from [`Index::position`], which is zero when everything is to be read again. A backend that
//! does not pass [`conformance`] does not exist.

#[cfg(feature = "conformance")]
pub mod conformance;
mod document;
mod error;
mod port;
mod query;
mod terms;

pub use document::Document;
pub use error::IndexError;
pub use port::Index;
pub use query::{Found, Hit, MARKS, Query};
pub use terms::{Term, Terms};
