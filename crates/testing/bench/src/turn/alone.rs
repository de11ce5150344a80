//! One agent, one turn at a time, beside the floor turn.

use sqlite::Config;
use testkit::TempHome;
use tokio::runtime::Runtime;

use super::floor::Floor;
use super::house::{Agent, House, furnish};
use crate::stopwatch::{self, median};

/// Turns of each side before the other has its own.
const STRETCH: u64 = 25;

/// The medians of a turn of each side, in microseconds.
pub(super) struct Alone {
    pub(super) ours: f64,
    pub(super) floor: f64,
}

/// A home with one agent that is awake for the first time.
pub(super) fn home(executor: &Runtime, config: &Config, url: &str) -> (TempHome, House, Agent) {
    let home = TempHome::new();
    executor.block_on(async {
        let agent = furnish(home.path(), config, url, 1).await.remove(0);
        let house = House::open(home.path(), config, url).await;
        (home, house, agent)
    })
}

/// So many turns one after the other, in microseconds.
pub(super) fn turns(
    executor: &Runtime,
    house: &House,
    agent: &Agent,
    from: u64,
    n: u64,
) -> Vec<f64> {
    executor.block_on(async {
        let mut took = Vec::new();
        for n in from..from + n {
            let began = stopwatch::start();
            house.prompt(agent, format!("prompt-{n}")).await;
            took.push(began.elapsed().as_secs_f64() * 1e6);
        }
        took
    })
}

pub(super) fn pair(executor: &Runtime, floor: &Floor, url: &str, stretches: u64) -> Alone {
    let (_home, house, agent) = home(executor, &Config::default(), url);
    let (mut ours, mut floors) = (Vec::new(), Vec::new());
    // The first ones find everything cold.
    turns(executor, &house, &agent, 0, STRETCH);
    floor.alone(executor, STRETCH);
    for stretch in 1..=stretches {
        executor.block_on(house.clear(&agent));
        ours.extend(turns(executor, &house, &agent, stretch * STRETCH, STRETCH));
        floors.extend(floor.alone(executor, STRETCH));
    }
    Alone { ours: median(ours), floor: median(floors) }
}
