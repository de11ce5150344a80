//! The port.

use types::{Position, RecordId};

use crate::{Document, Found, IndexError, Query};

/// Documents that can be found by their words.
///
/// Calls block while the disk is read or written: callers on async threads move them elsewhere.
/// Searches and writes never wait for each other, except while everything is forgotten.
///
/// What cannot be read any more is forgotten by itself: the call that finds the damage says so, and
/// the next one finds an empty index at position zero.
pub trait Index: Send + Sync {
    /// Up to where of the journal's log it has read. One that lies beyond the log's end means that
    /// the log is another one: then [`Index::clear`] and begin again.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn position(&self) -> Result<Position, IndexError>;

    /// Takes documents in, in place of what was known of them, and leaves others out, and moves from
    /// one position to another: all of it or nothing. One that is in both lists is left out; of one
    /// that comes twice the last counts. Says false, and does nothing, if it stood elsewhere: then
    /// somebody has fed it meanwhile, or it was forgotten.
    ///
    /// What is left out is found no more, but its words may stay in the file for a while; see
    /// [`Index::clear`].
    ///
    /// It survives a crash of the process. After a power cut it may stand where it stood some calls
    /// ago, whole as it was then; feeding it again makes up for that.
    ///
    /// # Errors
    /// If the file cannot be written; it is as before.
    fn put(
        &self,
        upserts: Vec<Document>,
        removals: Vec<RecordId>,
        from: Position,
        up_to: Position,
    ) -> Result<bool, IndexError>;

    /// Forgets everything: nothing of it is left on the disk, and the position is zero. Whoever erases
    /// something for good does this, and feeds it again.
    ///
    /// # Errors
    /// If the file cannot be removed or made anew.
    fn clear(&self) -> Result<(), IndexError>;

    /// Finds documents. What it costs depends on how many fit, not on how many there are.
    ///
    /// # Errors
    /// If there is nothing to look for ([`IndexError::EmptyQuery`]), too much, or the file cannot be
    /// read.
    fn search(&self, query: &Query) -> Result<Found, IndexError>;
}
