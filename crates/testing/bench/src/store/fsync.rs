//! The floor under every durable commit: one page appended and synced.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::stopwatch::{self, median};

/// The median time of one append and sync, in microseconds.
pub(super) fn floor(folder: &Path) -> f64 {
    let mut file = File::create(folder.join("fsync")).expect("a file");
    let page = [7_u8; 4096];
    let mut one = || {
        let (result, elapsed) =
            stopwatch::time(|| file.write_all(&page).and_then(|()| file.sync_data()));
        result.expect("the disk takes a page");
        elapsed.as_secs_f64() * 1e6
    };
    // The first ones find the disk cold.
    for _ in 0..20 {
        one();
    }
    median((0..200).map(|_| one()).collect())
}
