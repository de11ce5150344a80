//! A new agent: identity, state, the links between them and what it wakes for, in one commit.

use rules::matching::draft;
use rules::run_key::{self, Cause};
use rules::token;
use serde_json::json;
use types::{
    AgentConfig, AgentId, AgentIdentity, AgentKind, AgentState, At, AuditDraft, Author, BodyType,
    CategoryId, Commit, CursorMove, CursorName, Domain, EventDraft, EventKind, Lifecycle,
    LinkDraft, LinkId, OperationDraft, Ownership, Position, Priority, Profile, RecordDraft,
    RecordId, Relation, RunDraft, StateId, Subscription, TaskId, Token, Visibility, Write,
};
use world::World;

use crate::Template;
use crate::steps::CREATE;

/// The ids of a new agent's records.
pub(crate) struct Ids {
    pub(crate) agent: AgentId,
    state: StateId,
    state_link: LinkId,
    task_link: LinkId,
}

impl Ids {
    pub(crate) fn drawn(world: &dyn World) -> Ids {
        Ids {
            agent: AgentId::new(world.ulid()),
            state: StateId::new(world.ulid()),
            state_link: LinkId::new(world.ulid()),
            task_link: LinkId::new(world.ulid()),
        }
    }
}

/// All that a new agent is made of.
pub(crate) struct Birth {
    pub(crate) ids: Ids,
    pub(crate) template: Template,
    pub(crate) category: CategoryId,
    pub(crate) task: Option<TaskId>,
    pub(crate) name: String,
    pub(crate) request: Option<String>,
    /// The ends of both logs: what was before is not news.
    pub(crate) heads: (Position, Position),
}

impl Birth {
    /// The commit in which it comes to be.
    pub(crate) fn plan(&self, at: At) -> Commit {
        let agent = &self.ids.agent;
        let mut state = AgentState::newborn(agent.clone());
        let mut writes = vec![
            Write::Record(RecordDraft::live(agent, self.identity())),
            link(&self.ids.state_link, agent, (&self.ids.state).into(), Relation::AgentState),
            self.subscription(),
            self.cursor(Domain::Journal, self.heads.0),
            self.cursor(Domain::Agent, self.heads.1),
            Write::Event(EventDraft {
                agent: agent.clone(),
                kind: EventKind::AgentCreated,
                body: json!({ "template": self.template.name, "task": self.task }),
            }),
        ];
        if let Some(task) = &self.task {
            state.slots.active_task_id.set(Some(task.clone()));
            writes.push(link(&self.ids.task_link, agent, task.into(), Relation::AgentTask));
            writes.push(Write::QueueRun(first_run(agent)));
        }
        writes.push(Write::Record(RecordDraft::live(&self.ids.state, state)));
        Commit {
            operation: Some(self.operation()),
            audit: vec![self.audit()],
            ..Commit::new(Domain::Agent, Author::Operator, at, writes).named(CREATE)
        }
    }

    fn identity(&self) -> AgentIdentity {
        AgentIdentity {
            agent_id: self.ids.agent.clone(),
            template: self.template.name.clone(),
            kind: AgentKind::Named,
            display_name: self.name.clone(),
            lifecycle: Lifecycle::Active,
            mode: self.template.mode,
            visibility: Visibility::Public,
            ownership: Ownership::SelfOwned,
            profile: Profile::PublicNamed,
            agent_home: format!("agents/{}", self.ids.agent),
            lineage_parent_agent_id: None,
            task_id: self.task.clone(),
            allowed_category_ids: [self.category.clone()].into(),
            current_state_id: self.ids.state.clone(),
            config: AgentConfig::default(),
        }
    }

    /// What it wakes for. It listens for what hangs on its task by the task, so what is added later is
    /// followed too.
    fn subscription(&self) -> Write {
        let agent = &self.ids.agent;
        let (purpose, target, tokens) = match &self.task {
            Some(task) => ("tend", task.as_str(), tokens_of(task)),
            None => {
                let category = (&self.category).into();
                let tokens = vec![token::of_property(BodyType::Task, "category", &category)];
                ("watch", self.category.as_str(), tokens)
            }
        };
        let id = run_key::subscription_id(agent, purpose, target);
        Write::Record(RecordDraft::live(id, Subscription::to(agent.clone(), tokens)))
    }

    fn cursor(&self, log: Domain, to: Position) -> Write {
        let (name, from) = (CursorName::of_agent(&self.ids.agent), Position(0));
        Write::Cursor(CursorMove { name, log, from, to })
    }

    fn operation(&self) -> OperationDraft {
        let agent = &self.ids.agent;
        let request = self.request.as_deref().unwrap_or(agent.as_str());
        OperationDraft {
            id: rules::operation::id_of_request("create_agent", request),
            verb: "create_agent",
            subject: agent.into(),
            run_key: None,
            result: json!({ "id": agent }),
        }
    }

    fn audit(&self) -> AuditDraft {
        let mut detail = format!("template={} category={}", self.template.name, self.category);
        if let Some(task) = &self.task {
            detail += &format!(" task={task}");
        }
        AuditDraft { action: "agent.create", subject: self.ids.agent.to_string(), detail }
    }
}

/// The task, and all that is about it.
fn tokens_of(task: &TaskId) -> Vec<Token> {
    let task: RecordId = task.into();
    let about =
        [BodyType::Checklist, BodyType::ChecklistItem, BodyType::Entry, BodyType::TimeEntry];
    let about = about.map(|kind| token::of_property(kind, "task", &task));
    [Token::entity(&task)].into_iter().chain(about).collect()
}

/// The run in which it sees its task for the first time. Whoever made it waits for that, so it is not
/// put behind everything else as other ticks are.
fn first_run(agent: &AgentId) -> RunDraft {
    let cause = Cause::Tick { cause: "created", cause_id: "created" };
    let first = draft(agent, &cause, Some("created".to_owned()));
    RunDraft { priority: Priority::Normal, ..first }
}

fn link(id: &LinkId, from: &AgentId, to: RecordId, relation: Relation) -> Write {
    Write::Link(LinkDraft {
        id: id.clone(),
        from: from.into(),
        to,
        relation,
        hidden: false,
        body: serde_json::Map::new(),
        deleted: false,
    })
}
