//! Creating an agent: identity, state, the link between them and what it wakes for, in one commit.

use serde_json::json;
use store::StoreError;
use types::{
    AgentConfig, AgentId, AgentIdentity, AgentKind, AgentState, At, AuditDraft, Author, BodyType,
    CategoryId, Commit, CursorMove, CursorName, Domain, EventDraft, EventKind, Invalid, Lifecycle,
    LinkDraft, LinkId, Mode, OperationDraft, Outcome, Ownership, Position, Profile, RecordDraft,
    Relation, StateId, Subscription, Visibility, Write,
};

use crate::steps::CREATE;
use crate::{AgentView, Error, Fleet, Template};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateAgent {
    /// From which template.
    pub template: Template,
    /// The category it watches, and the only one it may see.
    pub category: CategoryId,
    /// What people call it.
    pub name: String,
    /// Names the request: the same again gives the same agent. Absent means a new request.
    pub request: Option<String>,
}

/// The ids of a new agent's records.
struct Ids {
    agent: AgentId,
    state: StateId,
    link: LinkId,
}

impl Fleet {
    /// Creates an agent.
    ///
    /// # Errors
    /// If its name is empty or too long, or the store cannot write.
    pub async fn agent_create(&self, params: CreateAgent) -> Result<AgentView, Error> {
        if let Some(request) = &params.request {
            Invalid::unless_request(request).map_err(StoreError::from)?;
        }
        let ids = Ids {
            agent: AgentId::new(self.world.ulid()),
            state: StateId::new(self.world.ulid()),
            link: LinkId::new(self.world.ulid()),
        };
        let journal = self.store.head(Domain::Journal).await?;
        let heads = (journal, self.store.head(Domain::Agent).await?);
        let commit = plan(&ids, &params, heads, self.world.now());
        match self.store.commit(commit).await? {
            Outcome::Applied(_) => self.agent_get(ids.agent.as_str()).await,
            Outcome::Idempotent(first) => {
                self.agent_get(first.result["id"].as_str().unwrap_or_default()).await
            }
            Outcome::Conflict(conflict) => Err(conflict.into()),
        }
    }
}

fn cursor(agent: &AgentId, log: Domain, to: Position) -> Write {
    let (name, from) = (CursorName::of_agent(agent), Position(0));
    Write::Cursor(CursorMove { name, log, from, to })
}

fn plan(ids: &Ids, params: &CreateAgent, heads: (Position, Position), at: At) -> Commit {
    let agent = &ids.agent;
    let category = &params.category;
    let token = rules::token::of_property(BodyType::Task, "category", &category.into());
    let subscription = Subscription::to(agent.clone(), vec![token]);
    let subscription_id = rules::run_key::subscription_id(agent, "watch", category.as_str());
    let writes = vec![
        Write::Record(RecordDraft::live(agent, identity(ids, params))),
        Write::Record(RecordDraft::live(&ids.state, AgentState::newborn(agent.clone()))),
        Write::Link(LinkDraft {
            id: ids.link.clone(),
            from: agent.into(),
            to: (&ids.state).into(),
            relation: Relation::AgentState,
            hidden: false,
            body: serde_json::Map::new(),
            deleted: false,
        }),
        Write::Record(RecordDraft::live(subscription_id, subscription)),
        // Its first look begins here: what was before is not news.
        cursor(agent, Domain::Journal, heads.0),
        cursor(agent, Domain::Agent, heads.1),
        Write::Event(EventDraft {
            agent: agent.clone(),
            kind: EventKind::AgentCreated,
            body: json!({ "template": params.template.as_str() }),
        }),
    ];
    let audit = AuditDraft {
        action: "agent.create",
        subject: agent.to_string(),
        detail: format!("template={} category={category}", params.template.as_str()),
    };
    let request = params.request.as_deref().unwrap_or(agent.as_str());
    let operation = OperationDraft {
        id: rules::operation::id_of_request("create_agent", request),
        verb: "create_agent",
        subject: agent.into(),
        run_key: None,
        result: json!({ "id": agent }),
    };
    Commit {
        operation: Some(operation),
        audit: vec![audit],
        ..Commit::new(Domain::Agent, Author::Operator, at, writes).named(CREATE)
    }
}

fn identity(ids: &Ids, params: &CreateAgent) -> AgentIdentity {
    AgentIdentity {
        agent_id: ids.agent.clone(),
        template: params.template.as_str().to_owned(),
        kind: AgentKind::Named,
        display_name: params.name.clone(),
        lifecycle: Lifecycle::Active,
        mode: Mode::Autonomous,
        visibility: Visibility::Public,
        ownership: Ownership::SelfOwned,
        profile: Profile::PublicNamed,
        agent_home: format!("agents/{}", ids.agent),
        lineage_parent_agent_id: None,
        allowed_category_ids: [params.category.clone()].into(),
        current_state_id: ids.state.clone(),
        config: AgentConfig::default(),
    }
}
