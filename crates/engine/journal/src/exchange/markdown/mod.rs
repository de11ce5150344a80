//! Everything in Markdown: people read and edit it, and nothing is lost.
//!
//! What Markdown can show stands there to be read and changed: names, titles, boxes to tick, dates,
//! notes. Comments at the ends of lines carry the rest: ids, times, and whatever would not come back
//! from what is shown. Where a comment and the text beside it both say something, the comment has
//! been written because the text could not say it, and counts. A file without comments comes in too.

mod build;
mod comment;
mod detail;
mod escape;
mod lists;
mod notes;
mod quote;
mod read;
mod seen;
mod stamp;
mod tree;
mod write;
mod write_days;
mod write_task;

pub(super) use read::read;
pub(super) use write::write;

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
