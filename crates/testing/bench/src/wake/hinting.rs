//! The product: clients that hint at the door, and the embedded dispatcher that turns every hint into
//! a receipt.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dispatch::{Begun, Body, Claim, Dispatch, Look, Signal, Step, Turn, Work};
use embedded::Embedded;
use host::Machine;
use ingress::{HintDelivery, Ingress};
use rules::facts::Relevance;
use rules::trim::Keep;
use store::Store;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use types::{AgentId, AgentIdentity, SchedulerPolicy, TriggerId};
use wake::{Debounce, Settings, Waker};
use world::World;

use super::{fleet, size};
use crate::stopwatch;

/// Clients at the door at once.
const CLIENTS: usize = 64;

/// Agents that are worked for at once.
const ROOM: usize = 64;

/// An open home with everything that takes a hint to its end.
pub(super) struct Hinting {
    executor: Runtime,
    ingress: Ingress,
    agents: Arc<Vec<Agent>>,
    next: Arc<AtomicU64>,
    _dispatcher: Embedded,
}

/// An agent's trigger, and whether somebody is at it.
struct Agent {
    trigger: TriggerId,
    free: Semaphore,
}

/// What there is to do, with a note of who is done: nobody is hinted twice at once.
struct Noting {
    waker: Waker,
    agents: Arc<Vec<Agent>>,
    by_id: HashMap<AgentId, usize>,
}

impl Work for Noting {
    fn recover(&self) -> Step<()> {
        self.waker.recover()
    }

    fn look(&self) -> Step<Look> {
        self.waker.look()
    }

    fn stirred(&self) -> Signal {
        self.waker.stirred()
    }

    fn work(&self, agent: AgentId) -> Step<()> {
        let (agents, place) = (Arc::clone(&self.agents), self.by_id[&agent]);
        let work = self.waker.work(agent);
        Box::pin(async move {
            let done = work.await;
            agents[place].free.add_permits(1);
            done
        })
    }
}

/// Facts first: with nothing to decide nobody is to take a turn.
struct Never;

impl Body for Never {
    fn turn(&self, claim: Claim, _begun: Begun) -> Turn {
        panic!("{} took a turn: {}", claim.agent.agent_id, claim.why)
    }
}

impl Hinting {
    /// Opens a home and gives a trigger to each of its agents that has none.
    pub(super) fn open(folder: &Path, agents: u64) -> Hinting {
        let executor =
            Builder::new_multi_thread().worker_threads(1).enable_time().build().expect("it starts");
        let store: Arc<dyn Store> = fleet::open(folder);
        let world: Arc<dyn World> = Arc::new(Machine);
        let policy = SchedulerPolicy::UNTHROTTLED;
        let ingress = Ingress::new(Arc::clone(&store), Arc::clone(&world), policy);
        let ids: Vec<AgentId> = (0..agents).map(size::agent_id).collect();
        let trigger = |id: &AgentId| {
            let trigger = executor.block_on(ingress.trigger_ensure(id)).expect("it is there");
            Agent { trigger, free: Semaphore::new(1) }
        };
        let agents: Arc<Vec<Agent>> = Arc::new(ids.iter().map(trigger).collect());
        let minded = Relevance::fields(&[("TASK", &["status", "category_id"])]);
        let relevance = Arc::new(move |_: &AgentIdentity| minded.clone());
        let settings = Settings { policy, debounce: Debounce::NONE, relevance, keep: Keep::USUAL };
        let waker = Waker::new(store, Arc::clone(&world), Arc::new(Never), settings);
        let by_id = ids.into_iter().enumerate().map(|(place, id)| (id, place)).collect();
        let work = Noting { waker, agents: Arc::clone(&agents), by_id };
        let report = |problem: &types::Problem| eprintln!("{problem:?}");
        let dispatcher = Embedded::new(executor.handle().clone(), world, ROOM, report);
        dispatcher.start(Arc::new(work));
        let next = Arc::new(AtomicU64::new(0));
        Hinting { executor, ingress, agents, next, _dispatcher: dispatcher }
    }

    /// Wakes agents so many times, in turn; says how long it took from the first hint to the last
    /// receipt. `name` keeps the deliveries of one process apart from those of another.
    pub(super) fn round(&self, name: &'static str, wakes: u64) -> Duration {
        let end = self.next.load(Ordering::Relaxed) + wakes;
        let client = |_| {
            let (ingress, agents) = (self.ingress.clone(), Arc::clone(&self.agents));
            let next = Arc::clone(&self.next);
            self.executor.spawn(async move {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= end {
                        return;
                    }
                    let agent = &agents[place(n, agents.len())];
                    agent.free.acquire().await.expect("it stays open").forget();
                    ingress.hint(hint(&agent.trigger, name, n)).await.expect("it is taken");
                }
            })
        };
        let work = || {
            let clients: Vec<_> = (0..CLIENTS).map(client).collect();
            self.executor.block_on(async {
                for client in clients {
                    client.await.expect("a client ends");
                }
                // The last have their receipts when everybody is free again.
                for agent in &*self.agents {
                    drop(agent.free.acquire().await);
                }
            });
        };
        let took = stopwatch::time(work).1;
        self.next.store(end, Ordering::Relaxed);
        took
    }
}

fn place(n: u64, agents: usize) -> usize {
    usize::try_from(n).expect("few") % agents
}

fn hint(trigger: &TriggerId, name: &str, n: u64) -> HintDelivery {
    HintDelivery {
        trigger: trigger.clone(),
        delivery: format!("{name}-{n}"),
        source: None,
        content_type: None,
        payload: None,
        correlation_id: None,
        causation_id: None,
    }
}
