//! Putting the rooms together.

use std::sync::Arc;

use consent::Consent;
use dispatch::{Work, guarded};
use fleet::{AgentView, CreateAgent, Fleet};
use ingress::Ingress;
use journal::Journal;
use memory::Memory;
use rules::facts::Minds;
use rules::session::Capacity;
use sessions::Sessions;
use store::Store;
use tools::{Executor, Registry};
use turn::Turns;
use types::{AgentIdentity, Problem, SchedulerPolicy};
use wake::{Debounce, Settings, Waker};
use world::World;

use crate::profile::part_of;
use crate::{Setup, Stay};

/// Everything that works in a home.
#[derive(Clone)]
pub struct Runtime {
    /// The store, for reads that need no service.
    pub store: Arc<dyn Store>,
    /// What people author.
    pub journal: Journal,
    /// What the operator agreed to.
    pub consent: Consent,
    /// The agents.
    pub fleet: Fleet,
    /// Their reports and notes.
    pub memory: Memory,
    /// What is said with them, and its common ground.
    pub sessions: Sessions,
    /// The door for everything that may influence them.
    pub ingress: Ingress,
    /// What wakes them.
    pub waker: Waker,
    /// What they do when they are awake.
    pub turns: Turns,
    world: Arc<dyn World>,
    pub(crate) registry: Arc<Registry>,
    stay: Stay,
}

impl Runtime {
    /// Starts on a store: gives a new home what it begins with, takes up what was left behind, and
    /// looks once for changes that were committed but not matched before the last stop.
    ///
    /// # Errors
    /// If the store cannot, or a template names a tool that it cannot have.
    pub async fn start(
        store: Arc<dyn Store>,
        world: Arc<dyn World>,
        setup: Setup,
    ) -> Result<Runtime, Problem> {
        let Setup { stay, templates, model, models, known, limits, .. } = setup;
        let Setup { tool_output_tokens, warn_at_percent, failures_max, keep, .. } = setup;
        let (policy, debounce) = match stay {
            // Whoever asks for it by a command has decided that now is the time.
            Stay::OneCommand => {
                (SchedulerPolicy { cooldown_ms: 0, ..SchedulerPolicy::DEFAULT }, Debounce::NONE)
            }
            Stay::UntilStopped => (SchedulerPolicy::DEFAULT, Debounce::USUAL),
        };
        let of = templates.clone();
        let relevance: Minds = Arc::new(move |agent: &AgentIdentity| of.relevance(agent));
        let settings = Settings { policy, debounce, relevance: Arc::clone(&relevance), keep };
        let journal = Journal::new(Arc::clone(&store), Arc::clone(&world));
        let memory = Memory::new(Arc::clone(&store), Arc::clone(&world)).minding(relevance);
        let tools = journal.tools().into_iter().chain(memory.tools()).collect();
        let registry = Registry::new(tools).expect("the built-in tools fit together");
        templates.fit(|tool| Some(registry.contract(tool)?.capabilities))?;
        let registry = Arc::new(registry);
        let executor = Executor::new(Arc::clone(&store), Arc::clone(&world), Arc::clone(&registry));
        let part = part_of(&templates);
        let bounds = turn::Bounds::default();
        let turning = turn::Settings {
            part,
            models,
            limits,
            warn_at_percent,
            bounds,
            tool_output_tokens,
            failures_max,
        };
        let turns = Turns::new(Arc::clone(&store), Arc::clone(&world), model, executor, turning);
        let body = Arc::new(turns.clone());
        let (asked, needing) = (turns.clone(), turns.clone());
        let capacity: Capacity = Arc::new(move |agent: &AgentIdentity| asked.capacity_of(agent));
        let least: Capacity = Arc::new(move |agent: &AgentIdentity| needing.least_of(agent));
        let runtime = Runtime {
            consent: Consent::new(Arc::clone(&store), Arc::clone(&world), known),
            journal,
            turns,
            fleet: Fleet::new(Arc::clone(&store), Arc::clone(&world), templates),
            memory,
            ingress: Ingress::new(Arc::clone(&store), Arc::clone(&world), policy)
                .with_capacity(Arc::clone(&capacity)),
            sessions: Sessions::new(Arc::clone(&store), Arc::clone(&world), capacity, least),
            waker: Waker::new(Arc::clone(&store), Arc::clone(&world), body, settings),
            store,
            world,
            registry,
            stay,
        };
        runtime.journal.category_seed().await?;
        guarded(runtime.waker.recover()).await?;
        guarded(runtime.waker.look()).await?;
        Ok(runtime)
    }

    /// How long this process will be there.
    #[must_use]
    pub fn stay(&self) -> Stay {
        self.stay
    }

    /// Does what a dispatcher does by itself: matches changes and fires what is due. Says how many
    /// runs a drain would begin now; none while everything is stopped.
    ///
    /// # Errors
    /// If the store cannot. The next start does it.
    pub async fn settle(&self) -> Result<usize, Problem> {
        self.waker.count_ready().await
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
    /// If it cannot be made as asked, or the store cannot.
    pub async fn agent_create(&self, params: CreateAgent) -> Result<AgentView, Problem> {
        self.waker.settle().await?;
        Ok(self.fleet.agent_create(params).await?)
    }
}
