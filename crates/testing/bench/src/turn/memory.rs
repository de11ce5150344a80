//! Whether agents that have run and sleep again leave anything in memory. Each home is opened by a
//! process of its own, which has seen none of the making.

use std::path::Path;
use std::time::Duration;

use sqlite::Config;
use testkit::TempHome;
use tokio::runtime::Runtime;
use types::SchedulerPolicy;

use super::house::{House, furnish};
use crate::child::itself;
use crate::machine;

/// How long everything has to come to rest.
const SETTLE: Duration = Duration::from_millis(1_000);

/// KiB resident with 1,000 asleep, after each of 1,000 has run once, and after each of many has.
pub(super) struct Memory {
    pub(super) asleep: f64,
    pub(super) few: f64,
    pub(super) many: f64,
}

pub(super) fn measure(executor: &Runtime, url: &str, many: u64) -> Memory {
    let (small, large) = (TempHome::new(), TempHome::new());
    for (home, agents) in [(&small, 1_000), (&large, many)] {
        executor.block_on(furnish(home.path(), &Config::default(), url, agents));
    }
    let few = resident(small.path(), url);
    // They have run now, and only sleep.
    let asleep = resident(small.path(), url);
    Memory { asleep, few, many: resident(large.path(), url) }
}

fn resident(folder: &Path, url: &str) -> f64 {
    let printed = itself(&["turn-memory", &folder.display().to_string(), url]);
    printed.trim().parse().expect("the other process prints a number")
}

/// Opens a home, lets all agents run that have something to do, and says how many KiB are resident at
/// rest.
pub(crate) fn resident_after_runs(folder: &Path, url: &str) -> u64 {
    super::run::executor().block_on(async {
        // As many runs at once as the product has.
        let in_flight = SchedulerPolicy::DEFAULT.global_max_concurrent_runs;
        let _house = House::open_for(folder, &Config::default(), url, in_flight).await;
        tokio::time::sleep(SETTLE).await;
        machine::resident_kib()
    })
}
