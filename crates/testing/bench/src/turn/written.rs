//! What a turn writes, and how often it waits for the disk. Lists are kept short, as people keep them:
//! what a turn writes holds what it was shown.

use std::fs;
use std::path::Path;

use sqlite::Config;
use testkit::powercut::PowerCut;
use tokio::runtime::Runtime;

use super::alone;
use super::crowd::Many;
use super::house::{Agent, House};
use crate::logs::unfolded;

/// Turns over which is counted, and after which the list is cleared, outside of what is counted.
const STRETCH: u64 = 25;

/// How often.
const STRETCHES: u64 = 8;

/// Times that the disk is waited for in a turn of an agent alone, on a disc that counts them. It is
/// never slow, so nothing is waited for together that would not be otherwise. First those of the turns alone,
/// then those that folding the logs into the files takes as well: that is done beside the turns, and how often
/// depends on how busy the machine is.
pub(super) fn syncs(executor: &Runtime, url: &str) -> [f64; 2] {
    [("counted", unfolded()), ("folded", Config::default())].map(|(name, config)| {
        let disc = PowerCut::install(name);
        let config = Config { vfs: Some(disc.name().to_owned()), ..config };
        let (_home, house, agent) = alone::home(executor, &config, url);
        counted(executor, &house, &agent, || disc.syncs())
    })
}

/// Bytes in both write-ahead logs per turn of an agent alone.
pub(super) fn bytes_alone(executor: &Runtime, url: &str) -> f64 {
    let (home, house, agent) = alone::home(executor, &unfolded(), url);
    counted(executor, &house, &agent, || logged(home.path()))
}

/// The same with 50 agents in flight.
pub(super) fn bytes_crowd(executor: &Runtime, url: &str) -> f64 {
    const TURNS: u64 = 1_000;
    let many = Many::open(executor, &unfolded(), url, 50);
    many.round(executor, TURNS / 4);
    let before = logged(many.folder());
    many.round(executor, TURNS);
    per_turn(logged(many.folder()) - before, TURNS)
}

/// How much a count grows in a turn, once everything is warm.
fn counted(executor: &Runtime, house: &House, agent: &Agent, count: impl Fn() -> u64) -> f64 {
    let mut all = 0;
    for stretch in 0..=STRETCHES {
        executor.block_on(house.clear(agent));
        let before = count();
        alone::turns(executor, house, agent, stretch * STRETCH, STRETCH);
        all += if stretch == 0 { 0 } else { count() - before };
    }
    per_turn(all, STRETCHES * STRETCH)
}

fn logged(folder: &Path) -> u64 {
    let length = |name: &str| fs::metadata(folder.join(name)).map_or(0, |wal| wal.len());
    length("journal.db-log") + length("agent.db-log")
}

fn per_turn(all: u64, turns: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "some million")]
    let per_turn = all as f64 / turns as f64;
    per_turn
}
