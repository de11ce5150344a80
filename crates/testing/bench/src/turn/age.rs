//! An agent that has had thousands of turns beside one that has had a hundred, each in a home of its
//! own, so that what else has grown counts too.

use chat::ChatServer;
use sqlite::Config;
use testkit::TempHome;
use tokio::runtime::Runtime;

use super::alone;
use super::house::{Agent, House};
use crate::stopwatch::median;

/// Turns after which the checklist is cleared, so that both have as much on it.
const CLEARED: u64 = 50;

/// Turns of each that are measured, around the hundredth of the young one.
const MEASURED: u64 = 100;

/// Stretches of these, each with an empty checklist, and turns of one before the other has its own.
const STRETCHES: u64 = 4;
const STRETCH: u64 = MEASURED / STRETCHES;
const AT_ONCE: u64 = 5;

/// The old one over the young one.
pub(super) struct Age {
    pub(super) turn: f64,
    pub(super) prompt: f64,
    pub(super) young_us: f64,
    pub(super) old_us: f64,
}

/// An agent alone in its home.
struct Life {
    house: House,
    agent: Agent,
    turns: u64,
    took: Vec<f64>,
    prompts: Vec<f64>,
    _home: TempHome,
}

impl Life {
    fn begin(executor: &Runtime, url: &str) -> Life {
        let (home, house, agent) = alone::home(executor, &Config::default(), url);
        Life { house, agent, turns: 0, took: vec![], prompts: vec![], _home: home }
    }

    async fn clear(&self) {
        self.house.clear(&self.agent).await;
    }

    fn live(&mut self, executor: &Runtime, turns: u64) -> Vec<f64> {
        let took = alone::turns(executor, &self.house, &self.agent, self.turns, turns);
        self.turns += turns;
        took
    }

    /// Lives until it has had so many turns.
    fn grow(&mut self, executor: &Runtime, turns: u64) {
        while self.turns < turns {
            executor.block_on(self.clear());
            self.live(executor, CLEARED.min(turns - self.turns));
        }
    }

    fn measure(&mut self, executor: &Runtime, server: &ChatServer, turns: u64) {
        let took = self.live(executor, turns);
        self.took.extend(took);
        self.prompts.push(prompt_bytes(server));
    }

    /// Forgets what was measured so far.
    fn forget(&mut self) {
        self.took.clear();
        self.prompts.clear();
    }
}

/// The bytes of the last request that began a turn.
pub(super) fn prompt_bytes(server: &ChatServer) -> f64 {
    let asked = server.asked();
    let first = asked.iter().rev().find(|asked| !asked.is_after_tools());
    let bytes = first.map_or(0, |asked| asked.bytes().len());
    #[expect(clippy::cast_precision_loss, reason = "some thousand")]
    let bytes = bytes as f64;
    bytes
}

pub(super) fn compare(executor: &Runtime, server: &ChatServer, url: &str, turns: u64) -> Age {
    let (mut young, mut old) = (Life::begin(executor, url), Life::begin(executor, url));
    old.grow(executor, turns - MEASURED - STRETCH);
    young.grow(executor, MEASURED / 2 - STRETCH);
    // The first stretch does not count: the old one has gone to rest while the young one grew up.
    for stretch in 0..=STRETCHES {
        if stretch == 1 {
            young.forget();
            old.forget();
        }
        // At once, so that neither has rested longer than the other and let go of what work needs.
        executor.block_on(async { tokio::join!(young.clear(), old.clear()) });
        // A few of each in turns, so that both meet the same moods of the machine.
        for _ in 0..STRETCH / AT_ONCE {
            young.measure(executor, server, AT_ONCE);
            old.measure(executor, server, AT_ONCE);
        }
    }
    let (young_us, old_us) = (median(young.took), median(old.took));
    let prompt = median(old.prompts) / median(young.prompts);
    Age { turn: old_us / young_us, prompt, young_us, old_us }
}
