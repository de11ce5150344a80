//! One life of the program, from opening the files to a crash.

use std::sync::Arc;

use dispatch::Body;
use fleet::Fleet;
use ingress::Ingress;
use rules::facts::Relevance;
use store::Store;
use types::{AgentIdentity, SchedulerPolicy};
use wake::{Debounce, Settings, Waker};
use world::World;

use crate::body::Script;
use crate::home::SimHome;
use crate::shared::Shared;
use crate::store::SimStore;

/// The policy that holds in every seed: tight enough that its limits are met.
pub(crate) const POLICY: SchedulerPolicy = SchedulerPolicy {
    global_max_concurrent_runs: 3,
    per_agent_wake_rate_per_hour: 40,
    mailbox_max: 64,
    ..SchedulerPolicy::DEFAULT
};

/// What callers talk to.
#[derive(Clone)]
pub(crate) struct Services {
    pub(crate) fleet: Fleet,
    pub(crate) ingress: Ingress,
    pub(crate) waker: Waker,
    pub(crate) store: Arc<SimStore>,
}

impl Services {
    /// Opens the files of a home and starts what works in them.
    pub(crate) fn start(home: &SimHome, shared: &Arc<Shared>) -> Services {
        let sim = Arc::new(SimStore::new(home.open(), Arc::clone(shared)));
        let store: Arc<dyn Store> = sim.clone();
        let world: Arc<dyn World> = shared.world.clone();
        // The body holds the store weakly: it must not keep a crashed life's files open.
        let body: Arc<dyn Body> = Arc::new(Script::new(Arc::clone(shared), Arc::downgrade(&sim)));
        let settings = Settings { policy: POLICY, debounce: Debounce::USUAL, relevance };
        Services {
            fleet: Fleet::new(Arc::clone(&store), Arc::clone(&world)),
            ingress: Ingress::new(Arc::clone(&store), Arc::clone(&world), POLICY),
            waker: Waker::new(store, world, body, settings),
            store: sim,
        }
    }
}

/// Keepers decide on the status of tasks, watchers on nothing.
fn relevance(agent: &AgentIdentity) -> Relevance {
    if agent.display_name.starts_with("keeper") {
        Relevance::Fields(&[("TASK", &["status"])])
    } else {
        Relevance::Nothing
    }
}
