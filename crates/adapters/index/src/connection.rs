//! The one door to the index file.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::config::Config;
use crate::fault::Fault;

/// Statements kept prepared per connection; more than there are.
const STATEMENTS_MAX: usize = 16;

/// How long to wait for a lock that another connection of this process holds for a moment. Other
/// processes are kept out by the home's lock.
const BUSY: Duration = Duration::from_secs(5);

/// Bytes that the write-ahead log keeps after it was folded into the file: the first feeding writes
/// everything, what comes later is little.
const LOG_BYTES_KEPT: u32 = 4 * 1024 * 1024;

/// Opens a file that exists for writing.
pub(crate) fn open_writer(path: &Path, config: &Config) -> Result<Connection, Fault> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE, config)?;
    // The file is derived, so no put waits for the disk. Less than NORMAL would also leave out the
    // syncs around a checkpoint: then a power cut could tear the file, and somebody's search would be
    // the one to find out. With NORMAL it takes away the last puts, position and all.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "journal_size_limit", LOG_BYTES_KEPT)?;
    Ok(connection)
}

/// Makes sure of write-ahead logging: readers and the writer never wait for each other.
pub(crate) fn use_wal(connection: &Connection) -> Result<(), Fault> {
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode == "wal" {
        return Ok(());
    }
    Err(Fault::Unusable(format!("write-ahead logging is not possible here (mode {mode})")))
}

/// Opens a file that exists for reading only.
pub(crate) fn open_reader(path: &Path, config: &Config) -> Result<Connection, Fault> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY, config)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

#[expect(clippy::disallowed_methods, reason = "this is the one door")]
fn open(path: &Path, access: OpenFlags, config: &Config) -> Result<Connection, Fault> {
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match &config.vfs {
        Some(vfs) => Connection::open_with_flags_and_vfs(path, flags, vfs.as_str())?,
        None => Connection::open_with_flags(path, flags)?,
    };
    connection.busy_timeout(BUSY)?;
    // The file may have been anybody's: nothing in its schema is trusted to call functions.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    // Negative means KiB.
    connection.pragma_update(None, "cache_size", -i64::from(config.cache_kib))?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(connection)
}
