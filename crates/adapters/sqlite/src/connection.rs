//! The one door to a database file.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rusqlite::OpenFlags;
use rusqlite::config::DbConfig;
use rusqlite::hooks::Wal;
use vfs::Connection;

use crate::config::{Config, Synchronous};
use crate::fault::Fault;
use crate::keys;
use crate::log;

/// How long to wait for a lock that another connection of this process holds for a moment. Other
/// processes are kept out by the home's lock.
const BUSY: Duration = Duration::from_secs(5);

/// Opens a file for writing, creating it if need be.
pub(crate) fn open_writer(path: &Path, config: &Config) -> Result<Connection, Fault> {
    writer(open(path, writing(), vfs(path, config)?)?, config)
}

/// Opens a file for writing with a log as SQLite writes it, which is not kept in memory: for whoever writes a
/// file as a whole. It has to be folded in the end.
pub(crate) fn open_rewriter(path: &Path, config: &Config) -> Result<Connection, Fault> {
    writer(open(path, writing(), config.vfs.clone())?, config)
}

fn writing() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE
}

fn writer(connection: Connection, config: &Config) -> Result<Connection, Fault> {
    cache(&connection, config.cache_kib)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let synchronous = match config.synchronous {
        Synchronous::Full => "FULL",
        Synchronous::Off => "OFF",
    };
    connection.pragma_update(None, "synchronous", synchronous)?;
    // Where a plain sync leaves bytes in the drive's own memory. Elsewhere it says nothing.
    connection.pragma_update(None, "fullfsync", true)?;
    Ok(connection)
}

/// The pages in the write-ahead log after the last commit, noted by SQLite itself. It folds the log no more on
/// its own then: it would say nothing of a disk that fails meanwhile, and later commits would rest on what is
/// not there.
pub(crate) fn note_log(connection: &mut Connection) -> Result<Arc<AtomicU32>, Fault> {
    let pages = Arc::new(AtomicU32::new(0));
    let noted = Arc::clone(&pages);
    connection.wal_hook(Some(move |_: &mut Wal, pages: i32| {
        noted.store(pages.unsigned_abs(), Ordering::Relaxed);
        Ok(())
    }))?;
    Ok(pages)
}

/// Makes sure of write-ahead logging: readers and the writer never wait for each other, and an
/// unclean stop can be seen.
pub(crate) fn use_wal(connection: &Connection) -> Result<(), Fault> {
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode == "wal" {
        return Ok(());
    }
    Err(Fault::unusable(format!("write-ahead logging is not possible here (mode {mode})")))
}

/// Folds the write-ahead log into the file, which is then whole by itself. Closing does it too, but
/// says nothing when it could not.
pub(crate) fn fold(connection: &Connection) -> Result<(), Fault> {
    if empty_log(connection)? {
        return Ok(());
    }
    Err(Fault::busy("the write-ahead log cannot be folded into the file while somebody reads it"))
}

/// Folds the write-ahead log into the file if nobody reads it, and gives back its memory.
pub(crate) fn fold_unread(connection: &Connection) -> Result<(), Fault> {
    connection.busy_timeout(Duration::ZERO)?;
    let folded = empty_log(connection);
    connection.busy_timeout(BUSY)?;
    folded.map(drop)
}

/// Folds all of the log and empties it; says whether that was possible.
fn empty_log(connection: &Connection) -> Result<bool, Fault> {
    let busy: i64 =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    Ok(busy == 0)
}

/// Folds as much of the write-ahead log into the file as nobody reads at the moment.
pub(crate) fn fold_what_nobody_reads(connection: &Connection) -> Result<(), Fault> {
    Ok(connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?)
}

/// Lets go of pages and prepared statements. Whoever works again reads and prepares what it needs, which
/// takes a millisecond or two; one that cannot let go keeps them.
pub(crate) fn rest(connection: &Connection) {
    connection.forget_statements();
    let _ = connection.release_memory();
}

/// Opens a file that exists for reading only.
pub(crate) fn open_reader(path: &Path, config: &Config) -> Result<Connection, Fault> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY, vfs(path, config)?)?;
    cache(&connection, config.reader_cache_kib)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// Through what a file is opened: a layer that keeps its log short, unless it has one that is not.
fn vfs(path: &Path, config: &Config) -> Result<Option<String>, Fault> {
    if log::is_whole(path) {
        return Ok(config.vfs.clone());
    }
    log::under(config.vfs.as_deref()).map(Some).map_err(Fault::unusable)
}

#[expect(clippy::disallowed_methods, reason = "this is the one door")]
fn open(path: &Path, access: OpenFlags, vfs: Option<String>) -> Result<Connection, Fault> {
    vfs::keep_pages();
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || match vfs {
        Some(vfs) => rusqlite::Connection::open_with_flags_and_vfs(path, flags, vfs.as_str()),
        None => rusqlite::Connection::open_with_flags(path, flags),
    };
    let connection = match access.contains(OpenFlags::SQLITE_OPEN_READ_ONLY) {
        true => Connection::reading(open)?,
        false => open()?.into(),
    };
    connection.busy_timeout(BUSY)?;
    keys::teach(&connection)?;
    // A plan goes by the statement, not by the values: otherwise SQLite plans some of them anew each
    // time a value is bound, which was two fifths of all the work of a wake.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(connection)
}

fn cache(connection: &Connection, kib: u32) -> Result<(), Fault> {
    // Negative means KiB.
    connection.pragma_update(None, "cache_size", -i64::from(kib))?;
    Ok(())
}

#[cfg(test)]
#[path = "connection_tests.rs"]
mod tests;
