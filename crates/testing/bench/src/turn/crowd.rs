//! Many agents, each with somebody who speaks to it again as soon as its turn is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlite::Config;
use testkit::TempHome;
use tokio::runtime::Runtime;

use super::floor::Floor;
use super::house::{Agent, House, furnish};
use super::setup::IN_FLIGHT;
use crate::machine;
use crate::stopwatch::{self, median};

/// Turns a second of so many agents and of the floor, and the median of the ratios.
pub(super) struct Crowd {
    pub(super) agents: u64,
    pub(super) ours: f64,
    pub(super) floor: f64,
    pub(super) ratio: f64,
    /// Milliseconds of processor time that a turn of each took, that of the server included.
    pub(super) our_cpu_ms: f64,
    pub(super) floor_cpu_ms: f64,
}

/// An open home in which so many agents have run once.
pub(super) struct Many {
    pub(super) house: House,
    pub(super) agents: Arc<Vec<Agent>>,
    next: Arc<AtomicU64>,
    home: TempHome,
}

impl Many {
    pub(super) fn open(executor: &Runtime, config: &Config, url: &str, agents: u64) -> Many {
        let home = TempHome::new();
        let (house, agents) = executor.block_on(async {
            let agents = furnish(home.path(), config, url, agents).await;
            (House::open(home.path(), config, url).await, agents)
        });
        Many { house, agents: Arc::new(agents), next: Arc::default(), home }
    }

    pub(super) fn folder(&self) -> &std::path::Path {
        self.home.path()
    }

    /// How long so many turns take, spread evenly over the agents.
    pub(super) fn round(&self, executor: &Runtime, turns: u64) -> Duration {
        let end = self.next.load(Ordering::Relaxed) + turns;
        let client = |place: usize| {
            let (house, agents) = (self.house.clone(), Arc::clone(&self.agents));
            let next = Arc::clone(&self.next);
            async move {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= end {
                        return;
                    }
                    house.prompt(&agents[place], format!("prompt-{n}")).await;
                }
            }
        };
        let took = executor.block_on(async {
            let began = stopwatch::start();
            let clients: Vec<_> =
                (0..self.agents.len()).map(|place| tokio::spawn(client(place))).collect();
            for client in clients {
                client.await.expect("a client ends");
            }
            began.elapsed()
        });
        self.next.store(end, Ordering::Relaxed);
        took
    }

    /// Clears the checklists of all agents.
    pub(super) fn clear(&self, executor: &Runtime) {
        executor.block_on(async {
            for agent in &*self.agents {
                self.house.clear(agent).await;
            }
        });
    }
}

pub(super) fn pair(
    executor: &Runtime,
    floor: &Floor,
    url: &str,
    agents: u64,
    (rounds, turns): (u64, u64),
) -> Crowd {
    let many = Many::open(executor, &Config::default(), url, agents);
    let (mut ours, mut floors, mut ratios) = (vec![], vec![], vec![]);
    let (mut our_cpu_ms, mut floor_cpu_ms) = (vec![], vec![]);
    let in_flight = IN_FLIGHT.min(usize::try_from(agents).expect("few"));
    for _ in 0..rounds {
        if agents == 1 {
            many.clear(executor);
        }
        let before = machine::processor_seconds();
        let our_s = many.round(executor, turns).as_secs_f64();
        let between = machine::processor_seconds();
        let floor_s = floor.crowd(executor, turns, in_flight).as_secs_f64();
        let after = machine::processor_seconds();
        #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
        let turns = turns as f64;
        our_cpu_ms.push((between - before) * 1e3 / turns);
        floor_cpu_ms.push((after - between) * 1e3 / turns);
        ours.push(turns / our_s);
        floors.push(turns / floor_s);
        ratios.push(floor_s / our_s);
    }
    Crowd {
        agents,
        ours: median(ours),
        floor: median(floors),
        ratio: median(ratios),
        our_cpu_ms: median(our_cpu_ms),
        floor_cpu_ms: median(floor_cpu_ms),
    }
}
