//! Homes for tests.

use std::fs;
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

    /// Its files as they are now, in a home of their own: what a killed process leaves.
    ///
    /// # Panics
    /// If they cannot be copied.
    #[must_use]
    pub fn as_left(&self) -> TempHome {
        let left = TempHome::new();
        for entry in fs::read_dir(self.path()).expect("a home is a folder") {
            let entry = entry.expect("its files can be listed");
            if entry.file_name() != "lock" {
                let to = left.path().join(entry.file_name());
                match entry.path().is_dir() {
                    true => fs::create_dir(to).expect("a folder can be made"),
                    false => drop(fs::copy(entry.path(), to).expect("a file can be copied")),
                }
            }
        }
        left
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
