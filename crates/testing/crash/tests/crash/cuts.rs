//! Power cuts.

use crash::Planted;
use crash::cut::{Cuts, run};

#[test]
fn every_acknowledged_commit_survives_fifty_power_cuts() {
    let summary = run(Cuts { from: 0, seeds: 60, plant: None }).unwrap();
    assert!(summary.failures.is_empty(), "{:#?}", summary.failures);
    assert_eq!(summary.seeds, 60);
    assert!(summary.cuts >= 50, "{summary:?}");
    assert!(summary.acknowledged > 1_000, "{summary:?}");
    assert!(summary.in_doubt > 0, "{summary:?}");
    assert!(summary.in_checkpoint > 0, "{summary:?}");
    assert!(summary.recuts > 0, "{summary:?}");
}

#[test]
fn synchronous_off_is_found() {
    let plant = Some(Planted::SynchronousOff);
    let summary = run(Cuts { from: 0, seeds: 8, plant }).unwrap();
    assert!(!summary.failures.is_empty(), "{summary:?}");
}

#[test]
fn a_skipped_wal_sync_is_found() {
    let plant = Some(Planted::SkipWalSync);
    let summary = run(Cuts { from: 0, seeds: 8, plant }).unwrap();
    assert!(!summary.failures.is_empty(), "{summary:?}");
}
