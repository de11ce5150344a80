//! Putting the rooms together.

use std::sync::Arc;

use dispatch::Work;
use fleet::{AgentView, CreateAgent, Fleet};
use ingress::Ingress;
use journal::Journal;
use store::Store;
use types::{Problem, SchedulerPolicy};
use wake::{Debounce, Settings, Waker};
use world::World;

use crate::watcher::{self, Watcher};

/// Everything that works in a home.
#[derive(Clone)]
pub struct Runtime {
    /// The store, for reads that need no service.
    pub store: Arc<dyn Store>,
    /// What people author.
    pub journal: Journal,
    /// The agents.
    pub fleet: Fleet,
    /// The door for everything that may influence them.
    pub ingress: Ingress,
    /// What wakes them.
    pub waker: Waker,
    world: Arc<dyn World>,
    stay: Stay,
}

/// How long this process will be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stay {
    /// As long as one command takes: what is to be done is done at once.
    OneCommand,
    /// Until it is stopped: changes are left to gather for a moment.
    UntilStopped,
}

impl Runtime {
    /// Starts on a store: gives a new home what it begins with, takes up what was left behind, and
    /// looks once for changes that were committed but not matched before the last stop.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn start(
        store: Arc<dyn Store>,
        world: Arc<dyn World>,
        stay: Stay,
    ) -> Result<Runtime, Problem> {
        let (policy, debounce) = match stay {
            // Whoever asks for it by a command has decided that now is the time.
            Stay::OneCommand => {
                (SchedulerPolicy { cooldown_ms: 0, ..SchedulerPolicy::DEFAULT }, Debounce::NONE)
            }
            Stay::UntilStopped => (SchedulerPolicy::DEFAULT, Debounce::USUAL),
        };
        let settings = Settings { policy, debounce, relevance: watcher::relevance };
        let body = Arc::new(Watcher);
        let runtime = Runtime {
            journal: Journal::new(Arc::clone(&store), Arc::clone(&world)),
            fleet: Fleet::new(Arc::clone(&store), Arc::clone(&world)),
            ingress: Ingress::new(Arc::clone(&store), Arc::clone(&world), policy),
            waker: Waker::new(Arc::clone(&store), Arc::clone(&world), body, settings),
            store,
            world,
            stay,
        };
        runtime.journal.category_seed().await?;
        runtime.waker.recover().await?;
        runtime.waker.look().await?;
        Ok(runtime)
    }

    /// Does what a dispatcher does by itself: matches changes and fires what is due. Says how many
    /// runs could begin; none while everything is stopped.
    ///
    /// # Errors
    /// If the store cannot. The next start does it.
    pub async fn settle(&self) -> Result<usize, Problem> {
        Ok(self.waker.look().await?.ready.len())
    }

    /// Runs what is queued until nothing is left that could begin now; says how many runs ended. A
    /// process that stays has a dispatcher, which does it by itself and is only waited for.
    ///
    /// # Errors
    /// If the store cannot. What was not run stays queued.
    pub async fn drain(&self) -> Result<u64, Problem> {
        match self.stay {
            Stay::OneCommand => self.waker.drain().await,
            Stay::UntilStopped => self.waker.wait_until_idle().await,
        }
    }

    /// A name for a request whose sender gave it none.
    #[must_use]
    pub fn new_request(&self) -> String {
        format!("request_{}", self.world.ulid())
    }

    /// Creates an agent that hears of what changes from now on.
    ///
    /// # Errors
    /// If its name is bad, or the store cannot.
    pub async fn agent_create(&self, params: CreateAgent) -> Result<AgentView, Problem> {
        self.waker.settle().await?;
        Ok(self.fleet.agent_create(params).await?)
    }
}
