//! Making a file that was not there.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

use store::StoreError;
use types::Domain;

use crate::config::Config;
use crate::connection;
use crate::fault::Fault;
use crate::file::{LOGS, SHARED_MEMORY, with_suffix};
use crate::header::{self, Found};
use crate::home::{inaccessible, sync_folder};
use crate::schema;

/// Makes a file beside its place, signed, with all its tables and in the mode it will be used in, and
/// then moves it there. A crash at any moment leaves no file or a whole one, never a half-made one
/// that the next start would have to guess about.
pub(crate) fn unless_there(path: &Path, domain: Domain, config: &Config) -> Result<(), StoreError> {
    if header::look(path, domain)? != Found::Nothing {
        return Ok(());
    }
    let made = with_suffix(path, ".new");
    // What an earlier attempt left is nobody's.
    for suffix in ["", SHARED_MEMORY].into_iter().chain(LOGS) {
        let _ = fs::remove_file(with_suffix(&made, suffix));
    }
    drop(private(&made).map_err(|error| inaccessible(path, &error))?);
    make(&made, domain, config).map_err(|fault| fault.at(path, "creating"))?;
    fs::rename(&made, path).map_err(|error| inaccessible(path, &error))?;
    sync_folder(path.parent().unwrap_or(path))
}

/// A folder with all that it lies in: what somebody keeps is theirs alone. One that is there already is left
/// as it is.
pub(crate) fn private_folder(path: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    builder.mode(0o700);
    builder.create(path).map_err(|error| inaccessible(path, &error))
}

/// The same, and on the disc: what is kept in it would be lost with its name.
pub(crate) fn folder_on_disc(path: &Path) -> Result<(), StoreError> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
    if !missing.is_empty() {
        private_folder(path)?;
    }
    missing.into_iter().rev().try_for_each(|made| sync_folder(made.parent().unwrap_or(made)))
}

/// A folder that was not there before, and that only its owner can look into.
pub(crate) fn new_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.mode(0o700);
    builder.create(path)
}

/// An empty file that was not there before, and that only its owner can read. SQLite gives its companions the same
/// permissions.
pub(crate) fn private(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    options.mode(0o600);
    options.open(path)
}

fn make(path: &Path, domain: Domain, config: &Config) -> Result<(), Fault> {
    let connection = connection::open_rewriter(path, config)?;
    schema::sign(&connection, domain)?;
    connection::use_wal(&connection)?;
    schema::migrate(&connection, domain)?;
    connection::fold(&connection)
}
