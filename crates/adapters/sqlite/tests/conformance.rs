//! The store's suite on SQLite.

use sqlite::{Config, Home, SqliteStore};
use store::Store;
use store::conformance::Harness;
use tempfile::TempDir;

struct Folder {
    folder: TempDir,
}

fn folder() -> Folder {
    Folder { folder: tempfile::tempdir().expect("a temporary folder") }
}

impl Harness for Folder {
    fn open(&mut self) -> Box<dyn Store> {
        let home = Home::at(self.folder.path());
        let lock = home.lock().expect("the last store was dropped");
        let host = "host_case".parse().expect("an id");
        let store: SqliteStore = home.open(lock, &host, &Config::default()).expect("it opens");
        Box::new(store)
    }
}

store::store_conformance!(folder());
