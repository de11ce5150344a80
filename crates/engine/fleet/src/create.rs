//! Creating an agent, once per request, and at most one per task.

use rules::mark;
use store::StoreError;
use types::{BodyType, CategoryId, Conflict, Domain, Guard, Invalid, Outcome, TaskId, limits};

use crate::birth::{Birth, Ids};
use crate::template::TemplateKind;
use crate::{AgentView, Error, Fleet, Template};

/// What an agent is made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A category: it follows the tasks there, and sees nothing else.
    Category(CategoryId),
    /// A task: it tends it, and sees the category in which the task lies at this moment.
    Task(TaskId),
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateAgent {
    /// From which template, by name.
    pub template: String,
    /// For what.
    pub subject: Subject,
    /// What people call it. Absent, it is called like its task, or like its template.
    pub name: Option<String>,
    /// Names the request: the same again gives the same agent. Absent means a new request.
    pub request: Option<String>,
}

impl Fleet {
    /// Creates an agent. One that tends a task has a first run queued, in the same commit.
    ///
    /// # Errors
    /// If there is no such template or task, the task has an agent, the name is empty or too long, or
    /// the store cannot write.
    pub async fn agent_create(&self, params: CreateAgent) -> Result<AgentView, Error> {
        if let Some(request) = &params.request {
            Invalid::unless_request(request).map_err(StoreError::from)?;
            if let Some(made) = self.made_before(request).await? {
                return Ok(made);
            }
        }
        let template = self.templates.find(&params.template)?.clone();
        let birth = self.conceive(template, params).await?;
        let task = birth.task.clone();
        let mut commit = birth.plan(self.world.now());
        if let Some(task) = &task {
            // Somebody else may be creating one at this moment: only one of the two is written.
            commit =
                commit.guarded(Guard::Unmarked { kind: BodyType::Agent, mark: mark::tends(task) });
        }
        match (self.store.commit(commit).await?, task) {
            (Outcome::Applied(_), _) => self.agent_get(birth.ids.agent.as_str()).await,
            (Outcome::Idempotent(first), _) => {
                self.again(first.result["id"].as_str().unwrap_or_default()).await
            }
            (Outcome::Conflict(Conflict::Marked { by, .. }), Some(task)) => {
                let agent = self.agent_get(by.as_str()).await?.id;
                Err(Error::AgentExists { agent, task })
            }
            (Outcome::Conflict(conflict), _) => Err(conflict.into()),
        }
    }

    /// The agent that a request has made before.
    async fn made_before(&self, request: &str) -> Result<Option<AgentView>, Error> {
        let id = rules::operation::id_of_request("create_agent", request);
        let Some(done) = self.store.operation(Domain::Agent, id).await? else { return Ok(None) };
        Ok(Some(self.again(done.subject.as_str()).await?))
    }

    /// An agent that was made before, and says so.
    async fn again(&self, id: &str) -> Result<AgentView, Error> {
        Ok(AgentView { again: true, ..self.agent_get(id).await? })
    }

    /// Looks up what a new agent has to know.
    async fn conceive(&self, template: Template, params: CreateAgent) -> Result<Birth, Error> {
        let (kind, called) = (template.kind, template.name.clone());
        let (category, task, called) = match (kind, params.subject) {
            (TemplateKind::Watcher, Subject::Category(category)) => (category, None, called),
            (TemplateKind::TaskAgent, Subject::Task(id)) => {
                if let Some(agent) = self.agent_of_task(&id).await? {
                    return Err(Error::AgentExists { agent: agent.id, task: id });
                }
                let missing = || Error::UnknownTask { task: id.clone() };
                let task = self.task(&id).await?.ok_or_else(missing)?;
                (task.category_id, Some(id), bounded(task.title))
            }
            _ => return Err(Error::OtherSubject { template: called, kind }),
        };
        let journal = self.store.head(Domain::Journal).await?;
        let heads = (journal, self.store.head(Domain::Agent).await?);
        if let Some(name) = &params.name {
            Invalid::unless_line("name", name, limits::NAME_BYTES_MAX).map_err(StoreError::from)?;
        }
        let (ids, name) = (Ids::drawn(&*self.world), params.name.unwrap_or(called));
        let request = params.request;
        Ok(Birth { ids, template, category, task, name, request, heads })
    }
}

/// As much of a title as a name may have.
fn bounded(mut title: String) -> String {
    title.truncate(title.floor_char_boundary(limits::NAME_BYTES_MAX));
    title
}
