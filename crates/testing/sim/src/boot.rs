//! One life of the program, from opening the files to a crash.

use std::sync::{Arc, OnceLock};

use consent::{Consent, Known};
use dispatch::Body;
use fleet::{Fleet, Template, Templates};
use ingress::Ingress;
use journal::Journal;
use memory::Memory;
use policy::Rights;
use policy::inference::Access;
use rules::facts::Relevance;
use rules::trim::Keep;
use store::Store;
use tools::{Executor, Registry};
use turn::{Bounds, Models, Part, Profile, Turns};
use types::{AgentIdentity, BudgetLimits, ModelRef, ProviderTerms, SchedulerPolicy, limits};
use wake::{Debounce, Settings, Waker};
use world::World;

use crate::bodies::{Bodies, TENDER};
use crate::body::Script;
use crate::hanging::hanging;
use crate::home::SimHome;
use crate::model::Scripted;
use crate::shared::Shared;
use crate::store::SimStore;

/// The policy that holds in every seed: tight enough that its limits are met.
pub(crate) const POLICY: SchedulerPolicy = SchedulerPolicy {
    global_max_concurrent_runs: 3,
    per_agent_wake_rate_per_hour: 40,
    mailbox_max: 64,
    ..SchedulerPolicy::DEFAULT
};

/// A model that is somebody else's.
pub(crate) const FOREIGN: &str = "elsewhere/oracle";

/// A model besides the usual one that may be asked if the operator wants it for a run.
pub(crate) const ANOTHER: &str = "builtin/another";

/// A model that is asked what somebody means, where one is.
pub(crate) const QUICK: &str = "builtin/quick";

/// A model that nobody may ask.
pub(crate) const UNHEARD_OF: &str = "builtin/unheard-of";

/// The templates, read once.
static TEMPLATES: OnceLock<Templates> = OnceLock::new();

/// What callers talk to.
#[derive(Clone)]
pub(crate) struct Services {
    pub(crate) fleet: Fleet,
    pub(crate) ingress: Ingress,
    pub(crate) waker: Waker,
    pub(crate) turns: Turns,
    pub(crate) consent: Consent,
    pub(crate) journal: Journal,
    pub(crate) store: Arc<SimStore>,
}

impl Services {
    /// Opens the files of a home and starts what works in them.
    pub(crate) fn start(home: &SimHome, shared: &Arc<Shared>) -> Services {
        let sim = Arc::new(SimStore::new(home.open(), Arc::clone(shared)));
        let store: Arc<dyn Store> = sim.clone();
        let world: Arc<dyn World> = shared.world.clone();
        let journal = Journal::new(Arc::clone(&store), Arc::clone(&world));
        let memory = Memory::new(Arc::clone(&store), Arc::clone(&world));
        let all = journal.tools().into_iter().chain(memory.tools()).collect();
        let registry =
            Registry::new(hanging(all, shared)).expect("the built-in tools fit together");
        let executor = Executor::new(Arc::clone(&store), Arc::clone(&world), Arc::new(registry));
        let templates = TEMPLATES.get_or_init(Templates::builtin).clone();
        let tender = templates.find(TENDER).expect("it is built in").clone();
        let turns = turns(&store, shared, executor, &tender);
        let body: Arc<dyn Body> = Arc::new(Bodies {
            shared: Arc::clone(shared),
            // The script holds the store weakly: it must not keep a crashed life's files open.
            script: Script::new(Arc::clone(shared), Arc::downgrade(&sim)),
            turns: turns.clone(),
        });
        let minds = Arc::new(move |agent: &AgentIdentity| relevance(agent, &tender));
        let settings = Settings {
            policy: POLICY,
            debounce: Debounce::USUAL,
            relevance: minds,
            keep: keep(shared.seed),
        };
        let consent = Consent::new(Arc::clone(&store), Arc::clone(&world), known());
        Services {
            consent,
            journal,
            fleet: Fleet::new(Arc::clone(&store), Arc::clone(&world), templates),
            ingress: Ingress::new(Arc::clone(&store), Arc::clone(&world), POLICY),
            waker: Waker::new(store, world, body, settings),
            turns,
            store: sim,
        }
    }
}

/// Real turns, over a model that follows a script.
fn turns(
    store: &Arc<dyn Store>,
    shared: &Arc<Shared>,
    executor: Executor,
    tender: &Template,
) -> Turns {
    // Besides what such an agent is offered, one tool that only reads.
    let reads = std::iter::once("list_tasks_in_scope".to_owned());
    let profile = Arc::new(Profile {
        prompt_id: tender.name.clone(),
        prompt_version: tender.version,
        role: tender.role.clone(),
        first_ask: tender.first_ask.clone(),
        later_ask: tender.later_ask.clone(),
        prompt_ask: tender.prompt_ask.clone(),
        tools: tender.tools.iter().cloned().chain(reads).collect(),
        rights: Rights {
            capabilities: tender.capabilities.clone(),
            quotas: tender.quotas.clone(),
            ..Rights::default()
        },
        reports: tender.report_scopes.clone(),
        limits: tender.budget_per_day.and(shared.limits),
        rounds_max: tender.rounds_per_turn,
    });
    let settings = turn::Settings {
        part: Arc::new(move |agent: &AgentIdentity| match agent.template == TENDER {
            true => Part::Acts(Arc::clone(&profile)),
            false => Part::Watches,
        }),
        models: Models { fast: quick(shared.seed), ..models(shared.abroad) },
        limits: BudgetLimits::default(),
        warn_at_percent: 80,
        bounds: Bounds::default(),
        tool_output_tokens: limits::TOOL_OUTPUT_TOKENS,
        failures_max: limits::FAILURES_IN_A_ROW_MAX,
    };
    let model = Arc::new(Scripted::new(Arc::clone(shared)));
    Turns::new(Arc::clone(store), shared.world.clone(), model, executor, settings)
}

/// What there is to agree to.
fn known() -> Known {
    let model: ModelRef = FOREIGN.parse().expect("a model");
    let provider = model.provider().to_owned();
    let terms = ProviderTerms { provider: provider.clone(), ..ProviderTerms::default() };
    Known { models: [model].into(), providers: [(provider, terms)].into() }
}

/// Models that nobody asks unless the operator agrees.
fn foreign() -> Models {
    let known = known();
    let default: ModelRef = FOREIGN.parse().expect("a model");
    let access = Access { models: known.models.clone(), narrowed: vec![] };
    Models { default, access, providers: known.versions(), ..Models::default() }
}

/// What may be asked: the usual model, and another if that is chosen for a run.
fn models(abroad: bool) -> Models {
    let mut models = if abroad { foreign() } else { Models::default() };
    for name in [ANOTHER, QUICK] {
        models.access.models.insert(name.parse().expect("a model"));
    }
    models
}

/// The fast model; in most seeds there is none.
fn quick(seed: u64) -> Option<ModelRef> {
    (seed % 3 == 2).then(|| QUICK.parse().expect("a model"))
}

/// The model of all agents.
pub(crate) fn usual(abroad: bool) -> ModelRef {
    models(abroad).default
}

/// Keepers decide on the status of tasks, watchers on nothing, and those who tend a task on what their
/// template says.
fn relevance(agent: &AgentIdentity, tender: &Template) -> Relevance {
    if agent.template == tender.name {
        tender.relevance.clone()
    } else if agent.display_name.starts_with("keeper") {
        Relevance::fields(&[("TASK", &["status"])])
    } else {
        Relevance::Nothing
    }
}

/// What of the logs is kept: in some seeds next to nothing, as after years.
fn keep(seed: u64) -> Keep {
    match seed % 2 {
        0 => Keep { days: 0, newest: 0 },
        _ => Keep::USUAL,
    }
}
