//! The index's suite on SQLite.

use index::Index;
use index::conformance::Harness;
use index_sqlite::{Config, SqliteIndex};
use tempfile::TempDir;

struct Folder {
    folder: TempDir,
}

fn folder() -> Folder {
    Folder { folder: tempfile::tempdir().expect("a temporary folder") }
}

impl Harness for Folder {
    fn open(&mut self) -> Box<dyn Index> {
        let host = "host_case".parse().expect("an id");
        let index = SqliteIndex::open(self.folder.path(), &host, &Config::default());
        Box::new(index.expect("it opens"))
    }
}

index::index_conformance!(folder());
