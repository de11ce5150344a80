//! Opening a home the way every part of this crate does.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlite::{Config, Home, SqliteStore};
use store::StoreError;

/// How long somebody may take to let go of a home.
const PATIENCE: Duration = Duration::from_secs(5);

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
    // A process that was started elsewhere at this moment holds a copy of the lock until it has become
    // the program that it is to be.
    let lock = home.lock_within(PATIENCE, |_| {})?;
    home.open(lock, &host, config)
}
