//! Numbers as options take them.
//!
//! An option that takes one lets a minus in, so that whoever writes it is told what is needed instead of
//! how to write an option that is none.

/// How many of something are wanted at most: with none of them there is nothing to show.
pub(crate) fn how_many(text: &str) -> Result<usize, String> {
    let many = text.parse().ok().filter(|many| *many > 0);
    many.ok_or_else(|| "a whole number of 1 or more is needed".to_owned())
}

/// A whole number that is not below zero.
pub(crate) fn whole_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a whole number is needed, and none below 0".to_owned())
}
