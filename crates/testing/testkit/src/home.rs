//! Homes for tests.

use std::path::Path;

use sqlite::{Config, Home, SqliteStore};
use tempfile::TempDir;

/// A home in a folder that vanishes with it.
#[derive(Debug)]
pub struct TempHome {
    folder: TempDir,
}

impl TempHome {
    /// An empty one.
    ///
    /// # Panics
    /// If the machine has no room for temporary files.
    #[must_use]
    pub fn new() -> TempHome {
        TempHome { folder: tempfile::tempdir().expect("there is room for temporary files") }
    }

    /// Its folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Opens its store; the one opened before must have been dropped.
    ///
    /// # Panics
    /// If it cannot be opened.
    #[must_use]
    pub fn open(&self, config: &Config) -> SqliteStore {
        let home = Home::at(self.path());
        let lock = home.lock().expect("nobody else has the home");
        let host = "host_test".parse().expect("an id");
        home.open(lock, &host, config).expect("the home opens")
    }
}

impl Default for TempHome {
    fn default() -> TempHome {
        TempHome::new()
    }
}
