//! Homes: a copy of one made once, since creating files costs more than a short life in them.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use sqlite::{Config, Drive, Home, SqliteStore, Synchronous};
use tempfile::TempDir;
use types::Domain;

/// The files of a new home, as bytes.
static NEW: OnceLock<Vec<(&'static str, Vec<u8>)>> = OnceLock::new();

/// The folder of one seed; it vanishes with this.
pub(crate) struct SimHome {
    folder: TempDir,
}

impl SimHome {
    pub(crate) fn new() -> SimHome {
        let folder = folder();
        for (name, bytes) in NEW.get_or_init(made_once) {
            fs::write(folder.path().join(name), bytes).expect("a home can be copied");
        }
        SimHome { folder }
    }

    /// Opens the files; whoever had them open before has let go.
    pub(crate) fn open(&self) -> SqliteStore {
        let home = Home::at(self.folder.path());
        let lock = home.lock().expect("nobody else has the home");
        let host = "host_sim".parse().expect("an id");
        home.open(lock, &host, &config()).expect("the home opens")
    }
}

fn config() -> Config {
    // What a power cut does to the files is for another program to prove.
    Config {
        synchronous: Synchronous::Off,
        drive: Drive::Caller,
        readers: 1,
        cache_kib: 1_024,
        ..Config::default()
    }
}

fn made_once() -> Vec<(&'static str, Vec<u8>)> {
    let made = SimHome { folder: folder() };
    drop(made.open());
    let home = Home::at(made.folder.path());
    let read = |domain| fs::read(home.path(domain)).expect("a home was made");
    vec![("journal.db", read(Domain::Journal)), ("agent.db", read(Domain::Agent))]
}

/// A folder in memory, where the machine has such a place.
fn folder() -> TempDir {
    let memory = PathBuf::from("/dev/shm");
    let found = if memory.is_dir() { tempfile::tempdir_in(&memory) } else { tempfile::tempdir() };
    found.or_else(|_| tempfile::tempdir()).expect("there is room for temporary files")
}
