//! Whether memory grows with history.

use std::path::Path;
use std::sync::Arc;

use sqlite::{Config, Home, SqliteStore};
use testkit::TempHome;

use super::ours;
use crate::child::itself;
use crate::machine;

/// Commits that are written while memory is watched.
const WORK: u64 = 5_000;

/// Resident memory over a home with many commits of history against one with few. The history is
/// made by one process and the memory is measured in another, which has seen none of the making.
pub(super) fn ratio(many: u64, few: u64) -> f64 {
    let resident = |commits: u64| -> f64 {
        let home = TempHome::new();
        let folder = home.path().display().to_string();
        itself(&["store-history", &folder, &commits.to_string()]);
        let kib = itself(&["store-memory", &folder, &commits.to_string()]);
        kib.trim().parse().expect("the other process prints a number")
    };
    resident(many) / resident(few)
}

/// Makes the history.
pub(crate) fn make_history(folder: &Path, commits: u64) {
    ours::write(&ours::executor(), &open(folder), 0, commits, 256);
}

/// Opens a home with that much history, works a while, and says how many KiB are resident.
pub(crate) fn resident_over(folder: &Path, commits: u64) -> u64 {
    ours::write(&ours::executor(), &open(folder), commits, WORK, 8);
    machine::resident_kib()
}

fn open(folder: &Path) -> Arc<SqliteStore> {
    let home = Home::at(folder);
    let lock = home.lock().expect("nobody else has the home");
    let host = "host_test".parse().expect("an id");
    Arc::new(home.open(lock, &host, &Config::default()).expect("the home opens"))
}
