//! Two homes that differ only in how long somebody has lived in them.

use std::sync::Arc;

use index_sqlite::SqliteIndex;
use runtime::{Finder, Runtime, Setup, Stay};
use sqlite::Config;
use store::{Store, wait};
use testkit::{FakeWorld, ScriptedModel, TempHome, Year};
use types::{At, Outcome};

/// The day on which the journal ends, and which is looked at.
pub(super) const LAST_DAY: &str = "2026-11-15T00:00:00Z";

/// A home with a journal in it.
pub(super) struct Lived {
    pub(super) runtime: Runtime,
    pub(super) finder: Finder,
    _home: TempHome,
}

impl Lived {
    /// One of so many shares of a year.
    pub(super) fn share(of: u64) -> Lived {
        let home = TempHome::new();
        let last: At = LAST_DAY.parse().expect("an instant");
        let world = Arc::new(FakeWorld::seeded(1));
        world.set(last.plus_millis(20 * 3_600_000));
        let store: Arc<dyn Store> = Arc::new(home.open(&Config::default()));
        let index = SqliteIndex::at(home.path(), store.host(), &index_sqlite::Config::default());
        let setup = Setup::with(Stay::OneCommand, ScriptedModel::saying(vec![]));
        let runtime = Runtime::start(Arc::clone(&store), world, setup);
        let runtime = wait(runtime).expect("a new home starts");
        let finder = Finder::new(&runtime.journal, Arc::new(index));
        for commit in Year::share(1, of, last).commits() {
            let outcome = wait(store.commit(commit)).expect("the store writes");
            assert!(matches!(outcome, Outcome::Applied(_)), "{outcome:?}");
        }
        Lived { runtime, finder, _home: home }
    }
}
