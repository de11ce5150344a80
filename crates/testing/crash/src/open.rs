//! Opening a home the way every part of this crate does.

use std::path::Path;

use sqlite::{Config, Home, SqliteStore};
use store::StoreError;

/// Opens the home in a folder, creating it if need be.
///
/// # Errors
/// If the store cannot be opened.
pub fn open(folder: &Path, config: &Config) -> Result<SqliteStore, StoreError> {
    let home = Home::at(folder);
    let host = "host_crash".parse().expect("an id");
    home.open(home.lock()?, &host, config)
}
