use std::cell::Cell;

use store::{Store, wait};
use tempfile::TempDir;
use testkit::powercut::PowerCut;
use types::{At, Author, Commit, Label, Outcome};

use super::*;
use crate::SqliteStore;

/// A home whose journal is copied in some steps, open.
struct Given {
    folder: TempDir,
    store: SqliteStore,
    config: Config,
}

/// Contents, each of which is a row of its own to check.
const CONTENTS: usize = 2_000;

fn given(config: Config) -> Given {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(&folder.path().join("home"));
    let lock = home.lock().unwrap();
    let store = home.open(lock, &"host_test".parse().unwrap(), &config).unwrap();
    for start in (0..CONTENTS).step_by(50) {
        written(&store, start..start + 50);
    }
    Given { folder, store, config }
}

fn written(store: &SqliteStore, numbers: std::ops::Range<usize>) {
    let content = |number: usize| {
        let subject = "task_a".parse().unwrap();
        let bytes = format!("{number} ").repeat(200).into_bytes();
        rules::content::keep(subject, Label::operator(), bytes).0
    };
    let writes = numbers.map(content).collect();
    let commit = Commit::new(Domain::Journal, Author::Operator, At::EPOCH, writes);
    assert!(matches!(wait(store.commit(commit)), Ok(Outcome::Applied(_))));
}

fn stop() -> Arc<AtomicBool> {
    Arc::default()
}

impl Given {
    /// Backs it up. `asked` is called when the copy of the journal begins and before each of its steps, and says how
    /// long the log is.
    fn backup(&self, stop: &Arc<AtomicBool>, asked: &dyn Fn() -> u32) -> Result<(), StoreError> {
        let pages = |domain| if domain == Domain::Journal { asked() } else { 0 };
        let into = self.folder.path().join("backup");
        backup(&Home::at(&self.folder.path().join("home")), &into, &self.config, stop, &pages)
    }

    fn left(&self) -> usize {
        fs::read_dir(self.folder.path()).unwrap().count() - 1
    }
}

#[test]
fn a_backup_that_is_stopped_leaves_nothing_and_the_store_can_be_closed() {
    let (given, stop, asked) = (given(Config::default()), stop(), Cell::new(0));
    let told = || {
        asked.set(asked.get() + 1);
        stop.store(asked.get() == 3, Ordering::Release);
        0
    };
    assert_eq!(given.backup(&stop, &told), Err(StoreError::Stopped));
    assert_eq!((asked.get(), given.left()), (3, 0));
    let Given { folder, store, .. } = given;
    drop(store);
    assert_eq!(log::left_behind(&folder.path().join("home/journal.db")), None);
}

#[test]
fn the_check_of_a_copy_is_stopped_too() {
    let (given, stop, asked) = (given(Config::default()), stop(), Cell::new(0));
    let count = || {
        asked.set(asked.get() + 1);
        0
    };
    given.backup(&stop, &count).unwrap();
    let all = asked.replace(0);
    assert!(all > 3, "{all}");
    fs::remove_dir_all(given.folder.path().join("backup")).unwrap();
    let behind_the_last_step = || {
        stop.store(asked.get() + 1 == all, Ordering::Release);
        count()
    };
    assert_eq!(given.backup(&stop, &behind_the_last_step), Err(StoreError::Stopped));
    assert_eq!(asked.get(), all);
    assert_eq!(given.left(), 0);
}

#[test]
fn a_backup_is_given_up_when_the_log_grows_too_long_over_it() {
    let given = given(Config { checkpoint_pages: 20, ..Config::default() });
    let next = Cell::new(CONTENTS);
    let write = |count| {
        written(&given.store, next.get()..next.get() + count);
        next.set(next.get() + count);
        given.store.file(Domain::Journal).log_pages()
    };
    let file = given.folder.path().join("home/journal.db");
    assert_eq!(given.backup(&stop(), &|| write(50)), Err(StoreError::Outrun { file }));
    assert_eq!(given.left(), 0);
    // Nobody looks at the log any more: it begins anew.
    while write(1) > grown_max(&given.config) {}
    given.backup(&stop(), &|| 0).unwrap();
}

#[test]
fn a_full_disc_of_the_target_is_not_blamed_on_the_home() {
    let disc = PowerCut::install("full-target");
    let given = given(Config { vfs: Some(disc.name().to_owned()), ..Config::default() });
    disc.fill_after(100_000);
    let file = given.folder.path().join("backup/journal.db");
    assert_eq!(given.backup(&stop(), &|| 0), Err(StoreError::DiskFull { file }));
    assert_eq!(given.left(), 0);
    disc.free_space();
    disc.fail_next_sync();
    let failed = given.backup(&stop(), &|| 0).unwrap_err();
    let StoreError::Io { file, .. } = &failed else { panic!("{failed:?}") };
    assert_eq!(file, &given.folder.path().join("backup/agent.db"));
    given.backup(&stop(), &|| 0).unwrap();
}
