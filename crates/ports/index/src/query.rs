//! What is asked of the index, and what it answers.

use std::collections::BTreeSet;

use types::{CategoryId, RecordId};

/// Around each match in an excerpt. They mean nothing else there: where a document has them itself,
/// the excerpt has `‹` and `›`.
pub const MARKS: (char, char) = ('«', '»');

/// A search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// As somebody typed it; see [`crate::Terms`] for what it can say.
    pub text: String,
    /// Of which kinds; empty means of any.
    pub kinds: Vec<String>,
    /// In which categories; absent means everywhere. If it is there, nothing outside of them is
    /// found or counted, and no document without a category either.
    pub categories: Option<BTreeSet<CategoryId>>,
    /// At most this many hits, and never more than `limits::ROWS_PER_READ_MAX`.
    pub limit: usize,
}

/// One document that fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Which record.
    pub id: RecordId,
    /// What it is.
    pub kind: String,
    /// Its heading.
    pub title: String,
    /// One line out of it with every match between [`MARKS`]: of the text if that fits, else the
    /// heading.
    pub excerpt: String,
    /// How well it fits against the best hit of the same answer, which has 1. It is no absolute
    /// number, because that would tell how often a word occurs where the asker may not look.
    pub score: f64,
}

/// The answer to a search.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
    /// The best first; of equals the newer first, and then by id.
    pub hits: Vec<Hit>,
    /// How many fit in all.
    pub total: usize,
    /// Whether there are more than are shown.
    pub more: bool,
}
