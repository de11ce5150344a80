//! What a cut may leave of names and files, by all outcomes of many seeds.

use std::collections::BTreeSet;
use std::path::Path;

use super::{FileId, Operation, Refusal, World};
use crate::Random;
use crate::powercut::Plant;

const DB: &str = "/d/db";
const WAL: &str = "/d/db-wal";

/// Performs `operation`, as the VFS does when the real call succeeds.
fn perform(world: &mut World, operation: Operation<'_>) -> Result<(), Refusal> {
    world.admit(operation)?;
    world.record(operation);
    Ok(())
}

fn write(world: &mut World, file: FileId, bytes: &[u8]) {
    perform(world, Operation::Write { file, offset: 0, bytes }).unwrap();
}

fn sync(world: &mut World, file: FileId, directory: bool) {
    perform(world, Operation::Sync { file, directory }).unwrap();
}

fn delete(world: &mut World, path: &str, directory: bool) {
    perform(world, Operation::Delete { path: Path::new(path), directory }).unwrap();
}

/// What 500 cuts leave under `path`; `None` stands for no such file.
fn outcomes(world: &World, path: &str) -> BTreeSet<Option<Vec<u8>>> {
    let left = |seed| world.survive(&mut Random::seeded(seed)).remove(Path::new(path));
    (0..500).map(left).collect()
}

fn set<const N: usize>(outcomes: [Option<&[u8]>; N]) -> BTreeSet<Option<Vec<u8>>> {
    outcomes.into_iter().map(|bytes| bytes.map(<[u8]>::to_vec)).collect()
}

#[test]
fn a_file_never_synced_may_be_absent_empty_or_there() {
    let mut world = World::default();
    let db = world.create(Path::new(DB));
    write(&mut world, db, b"x");
    assert_eq!(outcomes(&world, DB), set([None, Some(b""), Some(b"x")]));
}

#[test]
fn a_sync_settles_the_bytes_and_the_name() {
    let mut world = World::default();
    let db = world.create(Path::new(DB));
    write(&mut world, db, b"x");
    sync(&mut world, db, false);
    assert_eq!(outcomes(&world, DB), set([Some(b"x")]));
}

#[test]
fn a_delete_is_pending_unless_the_directory_is_synced() {
    let mut world = World::default();
    world.adopt(Path::new(WAL), b"w".to_vec());
    delete(&mut world, WAL, false);
    assert_eq!(outcomes(&world, WAL), set([None, Some(b"w")]));

    delete(&mut world, "/d/other", true);
    assert_eq!(outcomes(&world, WAL), set([None]));
}

#[test]
fn a_new_file_under_an_old_name_replaces_it_when_synced() {
    let mut world = World::default();
    world.adopt(Path::new(WAL), b"old".to_vec());
    delete(&mut world, WAL, false);
    let new = world.create(Path::new(WAL));
    write(&mut world, new, b"n");
    assert_eq!(outcomes(&world, WAL), set([None, Some(b"old"), Some(b""), Some(b"n")]));

    sync(&mut world, new, false);
    assert_eq!(outcomes(&world, WAL), set([Some(b"n")]));
}

#[test]
fn a_directory_sync_settles_names_but_not_bytes() {
    let mut world = World::default();
    let db = world.create(Path::new(DB));
    write(&mut world, db, b"x");
    let elsewhere = world.create(Path::new("/e/db"));
    write(&mut world, elsewhere, b"e");
    let wal = world.create(Path::new(WAL));
    sync(&mut world, wal, true);
    assert_eq!(outcomes(&world, DB), set([Some(b""), Some(b"x")]));
    assert_eq!(outcomes(&world, "/e/db"), set([None, Some(b""), Some(b"e")]));
}

#[test]
fn a_deleted_file_keeps_its_own_bytes_for_its_handle() {
    let mut world = World::default();
    let old = world.adopt(Path::new(WAL), b"old".to_vec());
    delete(&mut world, WAL, false);
    let new = world.create(Path::new(WAL));
    sync(&mut world, new, false);
    write(&mut world, old, b"ghost");
    sync(&mut world, old, true);
    assert_eq!(outcomes(&world, WAL), set([Some(b"")]));
}

#[test]
fn a_temporary_file_is_counted_and_forgotten() {
    let mut world = World::default();
    let temporary = world.create_temporary();
    write(&mut world, temporary, b"t");
    sync(&mut world, temporary, false);
    assert_eq!(world.operations(), 2);
    world.close(temporary);
    assert!(world.files.is_empty());
    assert!(world.survive(&mut Random::seeded(0)).is_empty());
}

#[test]
fn the_cut_comes_just_before_its_operation_and_stays() {
    let mut world = World::default();
    let db = world.create(Path::new(DB));
    world.cut_at(2);
    write(&mut world, db, b"1");
    sync(&mut world, db, false);
    assert!(!world.is_cut());
    let late = Operation::Write { file: db, offset: 0, bytes: b"2" };
    assert_eq!(perform(&mut world, late), Err(Refusal::Cut));
    world.cut_at(u64::MAX);
    assert_eq!(perform(&mut world, late), Err(Refusal::Cut));
    assert_eq!(world.operations(), 2);
    assert_eq!(outcomes(&world, DB), set([Some(b"1")]));
}

#[test]
fn a_full_disc_refuses_writes_until_space_returns() {
    let mut world = World::default();
    let db = world.create(Path::new(DB));
    world.set_space(Some(3));
    write(&mut world, db, b"ab");
    let large = Operation::Write { file: db, offset: 0, bytes: b"cd" };
    let small = Operation::Write { file: db, offset: 0, bytes: b"e" };
    assert_eq!(perform(&mut world, large), Err(Refusal::Full));
    assert_eq!(perform(&mut world, small), Err(Refusal::Full));
    sync(&mut world, db, false);
    world.set_space(None);
    assert_eq!(perform(&mut world, large), Ok(()));
    assert_eq!(outcomes(&world, DB), set([Some(b"ab"), Some(b"cd")]));
}

#[test]
fn a_planted_fault_makes_its_syncs_lie() {
    for (fault, db_after, wal_after) in [
        (Plant::SkipWalSync, set([Some(b"x")]), set([None, Some(b""), Some(b"x")])),
        (
            Plant::SkipEverySync,
            set([None, Some(b""), Some(b"x")]),
            set([None, Some(b""), Some(b"x")]),
        ),
    ] {
        let mut world = World::default();
        world.plant(fault);
        for path in [DB, WAL] {
            let file = world.create(Path::new(path));
            write(&mut world, file, b"x");
            sync(&mut world, file, path == WAL);
        }
        assert_eq!(outcomes(&world, DB), db_after, "{fault:?}");
        assert_eq!(outcomes(&world, WAL), wal_after, "{fault:?}");
    }
}
