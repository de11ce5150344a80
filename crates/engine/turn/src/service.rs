//! The service: who is asked, who acts, and how turns are set up.

use std::sync::Arc;

use dispatch::{Begun, Body, Claim, Concluding, Remains, Turn};
use model::{Model, ProviderStanding};
use policy::Denial;
use store::Store;
use tools::Executor;
use types::{AgentIdentity, Guard, ModelRef, Problem, Run, RunFailure, RunKey, Write, limits};
use world::World;

use crate::broken::Broken;
use crate::ledger::{UnderWay, set_aside};
use crate::offer::Offers;
use crate::resume::Recorded;
use crate::{Live, Part, Settings};

/// What agents do when they are awake.
#[derive(Clone)]
pub struct Turns {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) executor: Executor,
    pub(crate) settings: Settings,
    pub(crate) live: Live,
    /// The tools of each prompt, as a model sees them.
    pub(crate) offers: Offers,
    /// Runs that are under way, and what they have asked.
    pub(crate) under_way: UnderWay,
}

impl Turns {
    /// The turns of this store.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        world: Arc<dyn World>,
        model: Arc<dyn Model>,
        executor: Executor,
        settings: Settings,
    ) -> Turns {
        Turns {
            store,
            world,
            model,
            executor,
            settings,
            live: Live::default(),
            offers: Offers::default(),
            under_way: UnderWay::default(),
        }
    }

    /// Where turns are heard while they are under way.
    #[must_use]
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// Tokens that prompt and answer of an agent may have together.
    #[must_use]
    pub fn capacity_of(&self, agent: &AgentIdentity) -> u64 {
        self.settings.models.deployment(&self.model_of(agent)).capacity
    }

    /// Tokens below which no turn of an agent fits: the longest answer, its tools, and the shortest prompt.
    #[must_use]
    pub fn least_of(&self, agent: &AgentIdentity) -> u64 {
        let generation = &self.settings.models.deployment(&self.model_of(agent)).generation;
        let always = match (self.settings.part)(agent) {
            Part::Acts(profile) => {
                self.offer(&profile).tokens + context::tokens_to_begin_with(&profile.role)
            }
            Part::Watches | Part::Unknown => 0,
        };
        generation.max_output_tokens.saturating_add(always + limits::PROMPT_TOKENS_MIN)
    }

    /// How the providers of models stand, without a word to any of them.
    #[must_use]
    pub fn providers(&self) -> Vec<ProviderStanding> {
        self.model.providers()
    }

    /// Why the model that agents have if they have no other cannot be asked as it is set up; no word is
    /// said to anybody.
    #[must_use]
    pub fn obstacle(&self) -> Option<String> {
        self.obstacle_to(&self.settings.models.default)
    }

    /// Why the model that is to say what somebody means is not asked; nothing if it is, or if none is to.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn fast_obstacle(&self) -> Result<Option<String>, Problem> {
        let Some(model) = &self.settings.models.fast else { return Ok(None) };
        if let Some(obstacle) = self.obstacle_to(model) {
            return Ok(Some(obstacle));
        }
        let denied = self.not_agreed_to(model).await.map_err(Broken::into_problem)?;
        let why = |Denial { message, hint, .. }| format!("{message}; {hint}");
        let told = |why| format!("{model} is not asked what somebody means: {why}");
        Ok(denied.map(why).map(told))
    }

    fn obstacle_to(&self, model: &ModelRef) -> Option<String> {
        if model.is_builtin() {
            return None;
        }
        let name = model.provider();
        let standing = self.providers().into_iter().find(|one| one.provider == name);
        let missing = || Some(format!("no provider is configured under the name {name}"));
        let why = standing.map_or_else(missing, |one| one.obstacle)?;
        Some(format!("{model} cannot be asked: {why}"))
    }

    /// What a turn was asked with, part by part; nothing if it asked nobody, or if it was erased.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn prompt_of(&self, turn: &types::Turn) -> Result<Option<Recorded>, Problem> {
        self.recorded_prompt(turn).await.map_err(Broken::into_problem)
    }
}

impl Body for Turns {
    /// Sets aside what the first call of the model may cost, in the commit that begins the run.
    fn opening(&self, claim: &Claim) -> Vec<Write> {
        if !matches!((self.settings.part)(&claim.agent), Part::Acts(_)) {
            return vec![];
        }
        let model = self.model_for(&claim.run.draft, &claim.agent);
        let mut amounts = self.at_most(&model, self.settings.bounds.tokens);
        if let Some(fast) = &self.settings.models.fast
            && claim.run.draft.envelope.is_some()
        {
            amounts = amounts.plus(self.at_most_for_meaning(fast));
        }
        vec![set_aside(claim, self.today(), amounts)]
    }

    fn turn(&self, claim: Claim, begun: Begun) -> Turn {
        let turns = self.clone();
        Box::pin(async move { turns.take(claim, begun).await })
    }

    fn conclude(&self, run: Run, failure: RunFailure, guards: Vec<Guard>) -> Concluding {
        let turns = self.clone();
        Box::pin(async move { turns.conclude(&run, &failure, &guards).await })
    }

    fn give_up(&self, run: Run, failure: RunFailure) -> Remains {
        let turns = self.clone();
        Box::pin(async move { turns.give_up(&run, &failure).await })
    }

    fn put_back(&self, run: Run) -> Remains {
        let turns = self.clone();
        Box::pin(async move { turns.putting_back(&run).await.map_err(Broken::into_problem) })
    }

    fn over(&self, run: &RunKey) {
        self.under_way.forget(run);
    }
}
