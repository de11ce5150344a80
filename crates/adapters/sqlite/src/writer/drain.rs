//! Draining a group of commits into one transaction.

use rusqlite::config::DbConfig;
use store::StoreError;
use types::Outcome;
use vfs::Connection;

use crate::connection;
use crate::fault::Fault;
use crate::prepared::Prepared;

use super::apply::apply;
use super::state::Writer;

/// What one commit is answered.
pub(crate) type Reply = Result<Outcome, StoreError>;

/// How far apart commits of one group are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Apart {
    /// Not at all: the first failure ends the attempt. What nearly always happens, and fastest.
    Together,
    /// Each in a savepoint: one that fails leaves its neighbours untouched.
    Savepoints,
}

impl Writer {
    /// Writes a group: one transaction, one fsync, one reply each, in order.
    ///
    /// Conflicts are found before a commit writes anything, so they cost their neighbours nothing.
    /// A commit that fails while it is being written is rare; then the group is done again, with
    /// each commit in a savepoint of its own.
    pub(crate) fn drain(&mut self, commits: &[Prepared]) -> Vec<Reply> {
        if let Some(error) = &self.stopped {
            return vec![Err(error.clone()); commits.len()];
        }
        let replies = self.attempt(commits, Apart::Together).or_else(|fault| {
            if self.stopped.is_some() {
                Err(fault)
            } else {
                self.attempt(commits, Apart::Savepoints)
            }
        });
        replies.unwrap_or_else(|fault| vec![Err(fault.at(&self.path, "writing")); commits.len()])
    }

    fn attempt(&mut self, commits: &[Prepared], apart: Apart) -> Result<Vec<Reply>, Fault> {
        let before = self.tail;
        let done = self.transaction(commits, apart);
        if let Err(fault) = &done {
            self.tail = before;
            self.known_fences.forget();
            // Where SQLite has rolled back already there is nothing left to do.
            if !self.connection.is_autocommit() {
                let _ = self.connection.execute_batch("ROLLBACK");
            }
            self.stop_in_doubt(fault);
        }
        done
    }

    /// Folds the log into the file as far as readers allow. What fails is tried again after more has been
    /// written, unless the disk itself failed.
    pub(crate) fn fold(&mut self) {
        self.folding(connection::fold_what_nobody_reads);
    }

    /// Folds the log if nobody reads it, and gives back its memory.
    pub(crate) fn let_go_of_log(&mut self) {
        self.folding(connection::fold_unread);
    }

    fn folding(&mut self, fold: fn(&Connection) -> Result<(), Fault>) {
        if self.stopped.is_none()
            && let Err(fault) = fold(&self.connection)
        {
            self.stop_in_doubt(&fault);
        }
    }

    /// Stops for good, if what is on the disk may not be what was written.
    pub(crate) fn stop_in_doubt(&mut self, fault: &Fault) {
        if fault.leaves_doubt() {
            // Closing would fold the log into the file, and the log may not be where it seems to be.
            let _ = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
            self.stopped = Some(fault.at(&self.path, "writing"));
        }
    }

    fn transaction(&mut self, commits: &[Prepared], apart: Apart) -> Result<Vec<Reply>, Fault> {
        self.wait_for_the_disk(commits.iter().any(Prepared::is_barrier))?;
        self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let mut replies = Vec::with_capacity(commits.len());
        for commit in commits {
            replies.push(match apart {
                Apart::Together => Ok(apply(self, commit)?),
                Apart::Savepoints => self.in_savepoint(commit)?,
            });
        }
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(replies)
    }

    fn in_savepoint(&mut self, commit: &Prepared) -> Result<Reply, Fault> {
        let before = self.tail;
        self.connection.prepare_cached("SAVEPOINT one")?.execute([])?;
        let reply = match apply(self, commit) {
            Ok(outcome) => Ok(outcome),
            // The transaction itself is gone, and with it the neighbours: let the caller know.
            Err(fault) if self.connection.is_autocommit() => return Err(fault),
            Err(fault) => {
                self.tail = before;
                self.known_fences.forget();
                self.connection.prepare_cached("ROLLBACK TO one")?.execute([])?;
                Err(fault.at(&self.path, "writing"))
            }
        };
        self.connection.prepare_cached("RELEASE one")?.execute([])?;
        Ok(reply)
    }
}
