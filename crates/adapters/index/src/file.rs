//! The open file, and how it comes to be.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use types::HostId;

use crate::config::Config;
use crate::fault::Fault;
use crate::readers::Readers;
use crate::{connection, schema};

/// What SQLite keeps beside a file. The file itself is the first to go: what is left without it is
/// nobody's, while a file without its log may be torn.
const ALL: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// An open file.
pub(crate) struct IndexFile {
    /// Which opening this is: somebody who found damage means this file and not the next.
    pub(crate) opening: u64,
    // Dropped before the writer, so that the writer's connection is the last and can fold the log
    // into the file on its way out.
    pub(crate) readers: Readers,
    writer: Mutex<Connection>,
}

impl IndexFile {
    /// Opens the file if it is ours, else makes an empty one in its place.
    pub(crate) fn open(
        path: &Path,
        host: &HostId,
        opening: u64,
        config: &Config,
    ) -> Result<IndexFile, Fault> {
        let writer = match existing(path, host, config)? {
            Some(writer) => writer,
            None => {
                remove(path)?;
                make(path, host, config)?
            }
        };
        let readers = Readers::new(path, config);
        Ok(IndexFile { opening, readers, writer: Mutex::new(writer) })
    }

    /// Waits for whoever writes now.
    pub(crate) fn writer(&self) -> MutexGuard<'_, Connection> {
        // A transaction that was left by a panic was rolled back by its end.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes the file with all that lies beside it.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    for suffix in ALL {
        unless_missing(fs::remove_file(with_suffix(path, suffix)))?;
    }
    Ok(())
}

fn existing(path: &Path, host: &HostId, config: &Config) -> Result<Option<Connection>, Fault> {
    // A link would lead to a file elsewhere, which is not ours to write to.
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => {}
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    make_private(path)?;
    let opened = connection::open_writer(path, config).and_then(|connection| {
        let ours = schema::is_ours(&connection, host)?;
        Ok(ours.then_some(connection))
    });
    match opened {
        Ok(Some(connection)) => {
            connection::use_wal(&connection)?;
            Ok(Some(connection))
        }
        Err(fault) if !fault.is_strange() => Err(fault),
        _ => Ok(None),
    }
}

/// A crash in the middle leaves a file without tables, which the next opening replaces.
fn make(path: &Path, host: &HostId, config: &Config) -> Result<Connection, Fault> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // Whoever may not read the journal may not read its words here. What SQLite puts beside the file
    // gets the same rights.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?;
    let mut connection = connection::open_writer(path, config)?;
    connection::use_wal(&connection)?;
    schema::make(&mut connection, host)?;
    Ok(connection)
}

/// Takes the rights away that a copy or a careless hand may have given.
fn make_private(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    for suffix in ALL {
        let rights = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        unless_missing(fs::set_permissions(with_suffix(path, suffix), rights))?;
    }
    Ok(())
}

fn unless_missing(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
