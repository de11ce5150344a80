//! Putting the rooms together.

use std::sync::Arc;

use fleet::{AgentView, CreateAgent, Fleet};
use journal::Journal;
use store::Store;
use types::Problem;
use wake::Waker;
use world::World;

/// Everything that works in a home.
#[derive(Clone)]
pub struct Runtime {
    /// The store, for reads that need no service.
    pub store: Arc<dyn Store>,
    /// What people author.
    pub journal: Journal,
    /// The agents.
    pub fleet: Fleet,
    /// What wakes them.
    pub waker: Waker,
}

impl Runtime {
    /// Starts on a store: gives a new home what it begins with, and looks once for changes that
    /// were committed but not matched before the last stop.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn start(store: Arc<dyn Store>, world: Arc<dyn World>) -> Result<Runtime, Problem> {
        let runtime = Runtime {
            journal: Journal::new(Arc::clone(&store), Arc::clone(&world)),
            fleet: Fleet::new(Arc::clone(&store), Arc::clone(&world)),
            waker: Waker::new(Arc::clone(&store), world),
            store,
        };
        runtime.journal.category_seed().await?;
        runtime.waker.match_changes().await?;
        Ok(runtime)
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
