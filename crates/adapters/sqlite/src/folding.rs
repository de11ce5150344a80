//! Folding a long log into its file beside whoever writes: SQLite lets both go on at once. It takes as long as a
//! hundred commits, most of it waiting for the disc.

use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use vfs::Connection;

use crate::config::{Config, Drive};
use crate::connection;
use crate::fault::Fault;

/// What is to be done about a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// It is short, or being folded.
    Nothing,
    /// Most of it is to be folded beside the writer.
    Begin,
    /// The rest of it is to be folded at once, so that it can begin anew.
    Rest,
}

/// Whether most of a log has been folded beside the writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Most {
    NotYet,
    Going,
    Folded,
}

/// Says what is to be done about a log of so many pages, where so many are too many.
fn step(pages: u32, max: u32, most: Most) -> Step {
    match most {
        _ if pages < max => Step::Nothing,
        Most::NotYet => Step::Begin,
        // The log lies in memory: it does not grow for ever because the disc is slow.
        Most::Going if pages < max.saturating_mul(2) => Step::Nothing,
        Most::Going | Most::Folded => Step::Rest,
    }
}

/// Who folds, and with what.
pub(crate) struct Folding {
    path: PathBuf,
    config: Config,
    going: Option<JoinHandle<Result<Connection, Fault>>>,
    /// The connection of the last time.
    idle: Option<Connection>,
    /// Most of the log that there is was folded beside the writer.
    most_folded: bool,
}

/// What the writer has to do itself.
#[derive(Debug)]
pub(crate) enum Wanted {
    Nothing,
    /// To fold what is left.
    Rest,
    /// To stop, if this is a reason.
    Failed(Fault),
}

impl Folding {
    pub(crate) fn new(path: PathBuf, config: Config) -> Folding {
        Folding { path, config, going: None, idle: None, most_folded: false }
    }

    /// Whether somebody has begun to fold and nobody has looked after it.
    pub(crate) fn is_going(&self) -> bool {
        self.going.is_some()
    }

    /// Whether something is to be done about a log of so many pages.
    pub(crate) fn is_due(&self, pages: u32) -> bool {
        step(pages, self.config.checkpoint_pages, self.most()) != Step::Nothing
    }

    /// Does what is to be done about a log of so many pages, and says what is left to the writer.
    pub(crate) fn see_to(&mut self, pages: u32) -> Wanted {
        self.most_folded &= pages >= self.config.checkpoint_pages;
        match step(pages, self.config.checkpoint_pages, self.most()) {
            Step::Nothing => Wanted::Nothing,
            Step::Begin => self.begin(),
            Step::Rest => self.end(),
        }
    }

    /// Waits until nobody folds beside the writer.
    pub(crate) fn end(&mut self) -> Wanted {
        let Some(going) = self.going.take() else { return Wanted::Rest };
        self.most_folded = true;
        match going.join() {
            Ok(Ok(connection)) => {
                self.idle = Some(connection);
                Wanted::Rest
            }
            Ok(Err(fault)) => Wanted::Failed(fault),
            // The writer finds out for itself.
            Err(_) => Wanted::Rest,
        }
    }

    /// Lets go of what only work needs.
    pub(crate) fn rest(&mut self) {
        self.idle = None;
    }

    fn most(&self) -> Most {
        match &self.going {
            Some(going) if going.is_finished() => Most::Folded,
            Some(_) => Most::Going,
            None if self.most_folded => Most::Folded,
            None => Most::NotYet,
        }
    }

    fn begin(&mut self) -> Wanted {
        if self.config.drive == Drive::Caller {
            return Wanted::Rest;
        }
        let (idle, path, config) = (self.idle.take(), self.path.clone(), self.config.clone());
        let fold = move || {
            let connection = match idle {
                Some(connection) => connection,
                None => connection::open_writer(&path, &config)?,
            };
            connection::fold_what_nobody_reads(&connection)?;
            Ok(connection)
        };
        self.going = thread::Builder::new().spawn(fold).ok();
        // A machine that has no thread to spare lets the writer wait.
        if self.going.is_some() { Wanted::Nothing } else { Wanted::Rest }
    }
}

impl Drop for Folding {
    fn drop(&mut self) {
        drop(self.end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(path: &std::path::Path) -> u64 {
        std::fs::metadata(path).unwrap().len()
    }

    #[test]
    fn what_is_folded_beside_the_writer_is_in_the_file_while_the_writer_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let (path, config) = (folder.path().join("a.db"), Config::default());
        let config = Config { checkpoint_pages: 100, ..config };
        let writer = connection::open_writer(&path, &config).unwrap();
        connection::use_wal(&writer).unwrap();
        writer.execute_batch("CREATE TABLE a (b)").unwrap();
        let write = || writer.execute("INSERT INTO a VALUES (zeroblob(100000))", []).unwrap();
        let mut folding = Folding::new(path.clone(), config);
        for _ in 0..2 {
            let before = length(&path);
            write();
            assert!(!folding.is_due(99) && folding.is_due(100));
            assert!(matches!(folding.see_to(100), Wanted::Nothing));
            write();
            while !folding.is_due(100) {
                thread::yield_now();
            }
            assert!(length(&path) >= before + 100_000, "no commit of the writer did that");
            assert!(matches!(folding.see_to(100), Wanted::Rest));
            connection::fold(&writer).unwrap();
            assert!(length(&path) >= before + 200_000);
            assert!(matches!(folding.see_to(1), Wanted::Nothing));
        }
        folding.rest();
    }

    #[test]
    fn what_cannot_be_folded_is_told_to_the_writer() {
        let folder = tempfile::tempdir().unwrap();
        let config = Config { checkpoint_pages: 100, ..Config::default() };
        let mut folding = Folding::new(folder.path().to_owned(), config);
        assert!(matches!(folding.see_to(100), Wanted::Nothing));
        assert!(matches!(folding.end(), Wanted::Failed(_)));
        assert!(matches!(folding.see_to(100), Wanted::Rest), "then the writer tries by itself");
    }

    #[test]
    fn a_log_is_folded_beside_the_writer_first_and_then_to_its_end() {
        let steps = |most| [99, 100, 199, 200].map(|pages| step(pages, 100, most));
        let (nothing, begin, rest) = (Step::Nothing, Step::Begin, Step::Rest);
        assert_eq!(steps(Most::NotYet), [nothing, begin, begin, begin]);
        assert_eq!(steps(Most::Going), [nothing, nothing, nothing, rest], "not for ever");
        assert_eq!(steps(Most::Folded), [nothing, rest, rest, rest]);
    }
}
