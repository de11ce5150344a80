//! A log in both its forms: whole in memory, short on the disc.

use super::chunk::{self, Beginning, Mark};
use super::pages::{Pages, Write};
use super::whole::Whole;
use super::{damage, delta, lengths};

/// Notes are written when a transaction ends, or when there are so many bytes of them.
const NOTES_MAX: usize = 256 * 1_024;

/// Memory that a log keeps when it begins anew: as much as one has that is folded in time. What a long reader made
/// it grow to is given back.
const KEPT: usize = 16 << 20;

/// A log that SQLite writes whole and the disc holds short.
pub(super) struct Short {
    whole: Whole,
    pages: Pages,
    /// What was written since the last chunk, and where the first of it went.
    notes: Vec<u8>,
    notes_from: usize,
    /// Where the note after the last one would go if it followed at once.
    next: usize,
    /// The end of the chunks in the file, and the check of the last.
    end: u64,
    last: u64,
    /// Up to where they are known to be on the disc.
    synced: u64,
    /// Whether chunks bear marks, and which log those say they belong to.
    marked: bool,
    log: u32,
    /// The older version of what is written: kept, so as not to be asked for each time.
    older: Vec<u8>,
}

impl Default for Short {
    fn default() -> Short {
        Short {
            whole: Whole::default(),
            pages: Pages::default(),
            notes: Vec::new(),
            notes_from: 0,
            next: 0,
            end: 0,
            last: chunk::BEGINNING,
            synced: 0,
            marked: true,
            log: 0,
            older: Vec::new(),
        }
    }
}

impl Short {
    /// The log that a file holds: all chunks from the beginning up to the first that is not whole. `None` if
    /// what is whole cannot be read, or what is not was whole on the disc once.
    pub(super) fn from_file(file: &[u8]) -> Option<Short> {
        let mut log = Short::default();
        match chunk::beginning(file) {
            Beginning::Ours { marked } => log.marked = marked,
            Beginning::Unknown | Beginning::Damaged => return None,
            Beginning::Nothing => return Some(log),
        }
        let mut at = chunk::MAGIC.len();
        while let Some(chunk) = chunk::first(&file[at..], log.marked, log.last) {
            log.replay(chunk.notes)?;
            at += chunk.length;
            log.reached(at as u64, chunk.check);
        }
        let is_damaged = log.marked && log.end > 0 && damage::is_at(file, at, log.log);
        (!is_damaged).then_some(log)
    }

    /// The chunks go up to here, and the last has this check.
    fn reached(&mut self, end: u64, check: u64) {
        if self.end == 0 {
            self.log = chunk::log_of(check);
        }
        (self.end, self.last) = (end, check);
    }

    /// The bytes of the file that holds it.
    pub(super) fn length_on_disc(&self) -> usize {
        usize::try_from(self.end).expect("it was read from memory")
    }

    pub(super) fn whole(&self) -> &Whole {
        &self.whole
    }

    pub(super) fn pages(&self) -> &Pages {
        &self.pages
    }

    /// The same log, after one of the same file that nobody has open any more.
    pub(super) fn after(mut self, before: &Short) -> Short {
        self.pages.go_on_from(&before.pages);
        self
    }

    /// Takes a write in. Says whether what was noted has to be written now: then a transaction has come to its
    /// end.
    pub(super) fn write(&mut self, bytes: &[u8], at: usize) -> bool {
        let (what, older) = self.pages.see(bytes, at);
        if what == Write::Header {
            self.begin_anew();
        }
        // Checksums of a large transaction are put right in the end, behind which no page follows.
        let rewritten = at + bytes.len() < self.whole.length();
        self.note(bytes, at, older);
        self.whole.write(bytes, at);
        match what {
            Write::Page { commits } => commits || self.notes.len() >= NOTES_MAX,
            Write::FrameHeader { commits } => commits && rewritten,
            Write::Header | Write::Other => false,
        }
    }

    /// What is to be written to the disc, and where. Nothing if there is nothing.
    pub(super) fn chunk(&self) -> Option<Chunk> {
        if self.notes.is_empty() {
            return None;
        }
        let mut bytes = if self.end == 0 { chunk::MAGIC.to_vec() } else { Vec::new() };
        let unsynced = u32::try_from(self.end - self.synced).unwrap_or(u32::MAX);
        let mark = self.marked.then_some(Mark { log: self.log, unsynced });
        let check = chunk::put(mark, &self.notes, self.last, &mut bytes);
        Some(Chunk { bytes, at: self.end, check })
    }

    /// The chunk is written.
    pub(super) fn written(&mut self, chunk: &Chunk) {
        self.drop_notes();
        self.reached(chunk.at + chunk.bytes.len() as u64, chunk.check);
    }

    /// How far the file goes by now, for whoever is about to sync it.
    pub(super) fn reaches(&self) -> Reach {
        Reach { log: self.log, end: self.end }
    }

    /// The file was synced when it went so far. The log may have begun anew meanwhile.
    pub(super) fn synced(&mut self, reach: Reach) {
        if reach.log == self.log && reach.end <= self.end {
            self.synced = self.synced.max(reach.end);
        }
    }

    /// The chunk could not be written. SQLite is told so, and gives its transaction up: nothing of it may reach
    /// the disc with what comes later.
    pub(super) fn refused(&mut self) {
        self.pages.forget_from(self.notes_from);
        self.drop_notes();
    }

    /// Makes the log no longer than that. Says whether nothing is left, so that the disc need not hold anything.
    pub(super) fn shorten(&mut self, length: usize) -> bool {
        if length == 0 {
            self.begin_anew();
        }
        self.whole.shorten(length);
        self.pages.forget_from(length);
        length == 0
    }

    /// Forgets all: what follows overwrites it, on the disc too. SQLite does so when everything has been
    /// folded into the file and nobody reads the log.
    fn begin_anew(&mut self) {
        self.whole.clear(KEPT);
        self.drop_notes();
        (self.end, self.last) = (0, chunk::BEGINNING);
        (self.synced, self.marked, self.log) = (0, true, 0);
    }

    fn drop_notes(&mut self) {
        self.notes.clear();
        self.next = 0;
    }

    /// A note: how far from the end of the last one, how long, how far back the older version lies, and what
    /// differs from it.
    fn note(&mut self, bytes: &[u8], at: usize, older: Option<usize>) {
        if self.notes.is_empty() {
            self.notes_from = at;
        }
        self.notes_from = self.notes_from.min(at);
        let (ahead, distance) = (at >= self.next, at.abs_diff(self.next));
        lengths::put((distance as u64) << 1 | u64::from(!ahead), &mut self.notes);
        lengths::put(bytes.len() as u64, &mut self.notes);
        lengths::put(older.map_or(0, |older| at - older) as u64, &mut self.notes);
        let slice = older.and_then(|older| self.whole.slice(older, bytes.len()));
        let older = slice.unwrap_or_else(|| {
            self.older.resize(bytes.len(), 0);
            self.older.fill(0);
            if let Some(older) = older {
                self.whole.read(&mut self.older, older);
            }
            &self.older
        });
        delta::put(older, bytes, &mut self.notes);
        self.next = at + bytes.len();
    }

    /// Does what the notes of a chunk say.
    fn replay(&mut self, mut notes: &[u8]) -> Option<()> {
        /// Longer than anything that SQLite writes at once.
        const LONGEST: usize = 1 << 20;
        let mut next = 0_usize;
        while !notes.is_empty() {
            let distance = lengths::take_length(&mut notes)?;
            let length = lengths::take_length(&mut notes).filter(|length| *length <= LONGEST)?;
            let back = lengths::take_length(&mut notes)?;
            let at = match distance & 1 {
                0 => next.checked_add(distance >> 1)?,
                _ => next.checked_sub(distance >> 1)?,
            };
            // A hole as long as that was never written.
            if at > self.whole.length().checked_add(LONGEST)? {
                return None;
            }
            let mut bytes = vec![0; length];
            if back > 0 {
                self.whole.read(&mut bytes, at.checked_sub(back)?);
            }
            delta::take(&mut notes, &mut bytes)?;
            self.pages.see(&bytes, at);
            self.whole.write(&bytes, at);
            next = at + length;
        }
        Some(())
    }
}

/// How far a log goes in its file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    log: u32,
    end: u64,
}

/// What is written to the disc at once.
pub(super) struct Chunk {
    pub(super) bytes: Vec<u8>,
    pub(super) at: u64,
    check: u64,
}

#[cfg(test)]
#[path = "short_tests.rs"]
mod tests;
