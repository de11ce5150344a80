//! What a turn writes, and how often it waits for the disk.

use std::fs;
use std::path::Path;

use sqlite::Config;
use testkit::powercut::PowerCut;
use tokio::runtime::Runtime;

use super::alone;
use super::crowd::Many;

/// Turns over which is counted.
const TURNS: u64 = 200;

/// Times that the disk is waited for in a turn of an agent alone, on a disc that counts them. It is
/// never slow, so nothing is waited for together that would not be otherwise.
pub(super) fn syncs(executor: &Runtime, url: &str) -> f64 {
    let disc = PowerCut::install("counted");
    let config = Config { vfs: Some(disc.name().to_owned()), ..Config::default() };
    let (_home, house, agent) = alone::home(executor, &config, url);
    alone::turns(executor, &house, &agent, 0, TURNS);
    let before = disc.syncs();
    alone::turns(executor, &house, &agent, TURNS, TURNS);
    per_turn(disc.syncs() - before, TURNS)
}

/// Bytes in both write-ahead logs per turn of an agent alone. Nothing is folded back into the files
/// meanwhile, so the logs' length is all that was written.
pub(super) fn bytes_alone(executor: &Runtime, url: &str) -> f64 {
    let (home, house, agent) = alone::home(executor, &unfolded(), url);
    alone::turns(executor, &house, &agent, 0, TURNS);
    let before = logged(home.path());
    alone::turns(executor, &house, &agent, TURNS, TURNS);
    per_turn(logged(home.path()) - before, TURNS)
}

/// The same with 50 agents in flight.
pub(super) fn bytes_crowd(executor: &Runtime, url: &str) -> f64 {
    let many = Many::open(executor, &unfolded(), url, 50);
    many.round(executor, 10 * TURNS);
    let before = logged(many.folder());
    many.round(executor, 10 * TURNS);
    per_turn(logged(many.folder()) - before, 10 * TURNS)
}

fn unfolded() -> Config {
    Config { checkpoint_pages: 1_000_000, ..Config::default() }
}

fn logged(folder: &Path) -> u64 {
    let length = |name: &str| fs::metadata(folder.join(name)).map_or(0, |wal| wal.len());
    length("journal.db-wal") + length("agent.db-wal")
}

fn per_turn(all: u64, turns: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "some million")]
    let per_turn = all as f64 / turns as f64;
    per_turn
}
