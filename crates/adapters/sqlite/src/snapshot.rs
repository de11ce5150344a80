//! Copying one file as of one moment, while others write to it.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{ErrorCode, ffi};
use store::StoreError;
use vfs::Connection;

use crate::config::Config;
use crate::connection;
use crate::create;
use crate::fault::Fault;
use crate::home::inaccessible;

/// Pages between two looks around.
const STEP_PAGES: i32 = 256;

/// Steps after which the copy is on the disc: otherwise all of it would go there in the end, where nobody can stop
/// it, and a slow disc would not be noticed before.
const STEPS_UNTIL_SYNC: usize = 32;

/// Copies a file into a new one that only its owner can read. `go_on` is asked before each step, and ends the copy by
/// what it answers otherwise.
pub(crate) fn copy(
    source: &Path,
    target: &Path,
    config: &Config,
    go_on: &dyn Fn() -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    // Closed last: SQLite loses its locks on a file with any handle that is closed.
    let written = create::private(target).map_err(|error| inaccessible(target, &error))?;
    let of_target = |fault: Fault| fault.at(target, "writing");
    let from = look_at(source, config).map_err(|fault| fault.at(source, "copying"))?;
    let mut to = connection::open_rewriter(target, config).map_err(of_target)?;
    let copy = Backup::new(&from, &mut to).map_err(|error| of_target(error.into()))?;
    for step in 1.. {
        go_on()?;
        match copy.step(STEP_PAGES) {
            Ok(StepResult::More) => {}
            Ok(StepResult::Done) => break,
            // Nothing is wrong with it: somebody else has it locked. The source is ours already.
            Ok(_) => return Err(of_target(Fault::busy("the copy stopped early"))),
            Err(error) if is_of_source(&error) => {
                return Err(Fault::from(error).at(source, "copying"));
            }
            Err(error) => return Err(of_target(error.into())),
        }
        if step % STEPS_UNTIL_SYNC == 0 {
            sync(&written, target)?;
        }
    }
    drop(copy);
    // From here on the log of the source can begin anew.
    drop(from);
    // A copy is one file, readable also where nothing can be written beside it.
    to.pragma_update(None, "journal_mode", "DELETE").map_err(|error| of_target(error.into()))
}

/// A connection that sees a file as it is now, whatever is written to it later.
fn look_at(path: &Path, config: &Config) -> Result<Connection, Fault> {
    let connection = connection::open_reader(path, config)?;
    connection.execute_batch("BEGIN")?;
    // What is seen is settled by the first look.
    connection.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// Whether a step failed over its source. That is only read, and the target only written; a new one cannot be damaged
/// either.
fn is_of_source(error: &rusqlite::Error) -> bool {
    const READING: [i32; 4] = [
        ffi::SQLITE_IOERR_READ,
        ffi::SQLITE_IOERR_SHORT_READ,
        ffi::SQLITE_IOERR_CORRUPTFS,
        ffi::SQLITE_IOERR_DATA,
    ];
    let damaged = matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    );
    damaged || error.sqlite_error().is_some_and(|inner| READING.contains(&inner.extended_code))
}

fn sync(written: &File, path: &Path) -> Result<(), StoreError> {
    let failed = |error: io::Error| match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => inaccessible(path, &error),
        _ => StoreError::Io { file: path.to_owned(), doing: "writing", cause: error.to_string() },
    };
    written.sync_data().map_err(failed)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A file of some thousand pages, with its writer.
    fn written(path: &Path, config: &Config) -> Connection {
        let writer = connection::open_writer(path, config).unwrap();
        writer.pragma_update(None, "page_size", 1_024).unwrap();
        connection::use_wal(&writer).unwrap();
        writer.execute_batch("CREATE TABLE a (b); CREATE TABLE c (d)").unwrap();
        writer.execute("INSERT INTO a VALUES (zeroblob(3000000))", []).unwrap();
        writer
    }

    #[test]
    fn a_copy_is_of_one_moment_whatever_is_written_between_its_steps() {
        let (folder, config) = (tempfile::tempdir().unwrap(), Config::default());
        let (source, target) = (folder.path().join("a.db"), folder.path().join("b.db"));
        let (writer, asked) = (written(&source, &config), Cell::new(0));
        let go_on = || {
            asked.set(asked.get() + 1);
            assert!(asked.get() < 100, "it begins again and again");
            writer.execute("INSERT INTO c VALUES (?1)", [asked.get()]).unwrap();
            connection::fold_what_nobody_reads(&writer).unwrap();
            Ok(())
        };
        copy(&source, &target, &config, &go_on).unwrap();
        assert!(asked.get() > 10, "{asked:?}");
        let copied = connection::open_reader(&target, &config).unwrap();
        let one = |sql| copied.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(one("SELECT COUNT(*) FROM c"), 0, "none of it was there when it began");
        assert_eq!(one("SELECT LENGTH(b) FROM a"), 3_000_000);
    }

    #[test]
    fn a_copy_ends_when_it_may_not_go_on() {
        let (folder, config) = (tempfile::tempdir().unwrap(), Config::default());
        let (source, target) = (folder.path().join("a.db"), folder.path().join("b.db"));
        let (_writer, asked) = (written(&source, &config), Cell::new(0));
        let go_on = || {
            asked.set(asked.get() + 1);
            if asked.get() < 3 { Ok(()) } else { Err(StoreError::Stopped) }
        };
        assert_eq!(copy(&source, &target, &config, &go_on), Err(StoreError::Stopped));
        assert_eq!(asked.get(), 3);
    }

    #[test]
    fn what_cannot_be_read_is_the_sources_and_all_else_the_targets() {
        let of = |code| rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
        for code in [ffi::SQLITE_IOERR_READ, ffi::SQLITE_IOERR_SHORT_READ, ffi::SQLITE_CORRUPT] {
            assert!(is_of_source(&of(code)), "{code}");
        }
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_IOERR_FSYNC] {
            assert!(!is_of_source(&of(code)), "{code}");
        }
    }
}
