//! Whether the end of a log is its end.
//!
//! After a power cut a log ends in what was never written whole, and nobody was told that it was. What was whole on
//! the disc before something else was written behind it, and is not any more, was damaged since: to read on as if the
//! log ended there would lose what people were told is safe.

use super::chunk::{self, Chunk};

/// Whether the chunk at a place, which cannot be read, was on the disc as a whole: one behind it, of the same log, says
/// so. It is found by what is left of the head of the damaged one; if that is what was damaged, it is not. Nor is it
/// asked of the first of all: what lies there may be left of the log before, and that was folded when this one began.
pub(super) fn is_at(file: &[u8], place: usize, log: u32) -> bool {
    let Some((check, length)) = file.get(place..).and_then(|rest| chunk::head(rest, true)) else {
        return false;
    };
    let damaged_to = place.saturating_add(length);
    let (mut at, mut follows) = (damaged_to, check);
    while let Some(chunk) = behind(file, at, follows) {
        let Some(mark) = chunk.mark.filter(|mark| mark.log == log) else { return false };
        let synced_to = (at as u64).saturating_sub(u64::from(mark.unsynced));
        if synced_to >= damaged_to as u64 {
            return true;
        }
        (at, follows) = (at + chunk.length, chunk.check);
    }
    false
}

fn behind(file: &[u8], at: usize, follows: u64) -> Option<Chunk<'_>> {
    chunk::first(file.get(at..)?, true, follows)
}
