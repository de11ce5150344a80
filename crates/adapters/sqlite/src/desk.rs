//! The desk that commits are served at: the writer, and those it reports to.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Weak};

use crate::config::Config;
use crate::connection;
use crate::file::set_meta;
use crate::folding::{Folding, Wanted};
use crate::prepared::{Foreseen, Prepared};
use crate::readers::Readers;
use crate::signals::{News, Teller};
use crate::writer::{Reply, Writer};

/// What is left to be done at a desk once nobody wants anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// The log is to be folded into the file, so that no turn has to wait for that.
    Log,
    /// Memory that only work needs is to be given back.
    Memory,
    Nothing,
}

/// The writer with those it reports to.
pub(crate) struct Desk {
    // Dropped before the writer, whose connection is the last.
    folding: Folding,
    writer: Writer,
    teller: Arc<Teller>,
    check_passed: Arc<AtomicBool>,
    readers: Weak<Readers>,
    foreseen: Arc<Foreseen>,
    /// Pages in the log after the last commit.
    log_pages: Arc<AtomicU32>,
    /// Commits since the log was last folded into the file, and how many are worth it.
    unfolded: usize,
    until_rest: usize,
    /// The same for pages of the log.
    pages_until_rest: u32,
    /// Memory that only work needs has not been given back since.
    warm: bool,
    /// What somebody waits to do.
    minded: Left,
    tidy: fn(),
}

impl Desk {
    pub(crate) fn new(
        writer: Writer,
        teller: Arc<Teller>,
        check_passed: Arc<AtomicBool>,
        readers: Weak<Readers>,
        foreseen: Arc<Foreseen>,
        log_pages: Arc<AtomicU32>,
        config: &Config,
    ) -> Desk {
        Desk {
            folding: Folding::new(writer.path.clone(), config.clone()),
            writer,
            teller,
            check_passed,
            readers,
            foreseen,
            log_pages,
            unfolded: 0,
            until_rest: config.commits_until_rest,
            pages_until_rest: config.pages_until_rest,
            warm: false,
            minded: Left::Nothing,
            tidy: config.tidy,
        }
    }

    /// Writes a group, and says what its callers are to be answered and who is to be woken. Whoever asks how far
    /// things are hears it already.
    pub(crate) fn write(&mut self, commits: &[Prepared]) -> (Vec<Reply>, News) {
        let replies = self.writer.drain(commits);
        self.unfolded += commits.len();
        self.tell_if_stopped();
        (replies, self.teller.note(&self.writer))
    }

    /// What is left to be done once nobody wants anything. Whoever asks so waits for that.
    pub(crate) fn mind(&mut self) -> Left {
        self.minded = self.left();
        self.minded
    }

    /// Whether there is something to be done that nobody waits to do.
    pub(crate) fn is_unminded(&self) -> bool {
        self.left() != self.minded || self.folding.is_due(self.log_pages())
    }

    /// Somebody has held the log for long, and holds it no more: what could not be given back meanwhile can be now.
    pub(crate) fn let_go_of(&mut self) {
        self.warm = true;
    }

    fn left(&self) -> Left {
        // Few large commits make a long log too, and what is being folded is folded to its end.
        let many = self.unfolded >= self.until_rest || self.log_pages() >= self.pages_until_rest;
        match (many || self.folding.is_going(), self.warm) {
            (true, _) => Left::Log,
            (false, true) => Left::Memory,
            (false, false) => Left::Nothing,
        }
    }

    /// Does what is left first. Whoever pauses for a breath finds everything as it was.
    pub(crate) fn tidy_up(&mut self) {
        match self.left() {
            Left::Log => self.fold(),
            Left::Memory => self.rest(),
            Left::Nothing => {}
        }
        self.tell_if_stopped();
    }

    /// Has the log folded if it has too many pages to wait for rest.
    pub(crate) fn fold_if_long(&mut self) {
        if self.writer.is_stopped() {
            return;
        }
        let wanted = self.folding.see_to(self.log_pages());
        self.go_on_folding(wanted);
        self.tell_if_stopped();
    }

    /// Whoever keeps the file open is told that there is no use in that any more.
    fn tell_if_stopped(&self) {
        if let Some(why) = self.writer.stopped() {
            self.teller.stopped(why);
        }
    }

    /// Pages in the log that are to be folded: none once they were, before something is written. SQLite says how many
    /// there are only when something is, and one that was long would be folded again and again.
    fn log_pages(&self) -> u32 {
        if self.unfolded == 0 { 0 } else { self.log_pages.load(Ordering::Relaxed) }
    }

    fn fold(&mut self) {
        let wanted = self.folding.end();
        self.go_on_folding(wanted);
    }

    fn go_on_folding(&mut self, wanted: Wanted) {
        match wanted {
            Wanted::Nothing => {}
            Wanted::Rest => {
                (self.unfolded, self.warm) = (0, true);
                self.writer.fold();
            }
            Wanted::Failed(fault) => self.writer.stop_in_doubt(&fault),
        }
    }

    /// Gives back memory that only work needs.
    fn rest(&mut self) {
        self.warm = false;
        self.folding.rest();
        self.writer.let_go_of_log();
        self.foreseen.forget();
        connection::rest(&self.writer.connection);
        if let Some(readers) = self.readers.upgrade() {
            readers.rest();
        }
        (self.tidy)();
        self.teller.rested();
    }

    /// The last thing done: a check that passed need not be done again. If this write is lost, it
    /// is done again.
    pub(crate) fn close(&mut self) {
        if let Wanted::Failed(fault) = self.folding.end() {
            self.writer.stop_in_doubt(&fault);
        }
        if self.check_passed.load(Ordering::Acquire) && !self.writer.is_stopped() {
            let _ = set_meta(&self.writer.connection, "check_due", None);
        }
    }
}
