//! Opening a home the way every part of this crate does.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlite::{Config, Home, SqliteStore};
use store::StoreError;

/// Opens the home in a folder, creating it if need be.
///
/// # Errors
/// If the store cannot be opened.
pub fn open(folder: &Path, config: &Config) -> Result<SqliteStore, StoreError> {
    let home = Home::at(folder);
    // A new name each time, as every process has one ready: only the first may ever count.
    static OPENED: AtomicU64 = AtomicU64::new(0);
    let opened = OPENED.fetch_add(1, Ordering::Relaxed);
    let host = format!("host_{}-{opened}", std::process::id()).parse().expect("an id");
    home.open(home.lock()?, &host, config)
}
