//! Routing.

use api_types::{AgentReply, CategoryReply, DrainReply, Request, RunReply, TaskReply};
use runtime::{CreateAgent, CreateTask, Runtime, Template};
use serde::Serialize;
use serde_json::Value;
use types::Problem;

use crate::replies;

/// Answers requests.
#[derive(Clone)]
pub struct Router {
    runtime: Runtime,
}

impl Router {
    /// Answers with this runtime.
    #[must_use]
    pub fn new(runtime: Runtime) -> Router {
        Router { runtime }
    }

    /// Answers one request.
    ///
    /// # Errors
    /// What went wrong, as users see it.
    pub async fn answer(&self, request: Request) -> Result<Value, Problem> {
        match request {
            Request::TaskCreate { title, category, request_id } => {
                let params = CreateTask { title, category, request: request_id };
                json(&replies::task(self.runtime.journal.task_create(params).await?))
            }
            Request::TaskGet { task } => {
                json(&replies::task(self.runtime.journal.task_get(&task).await?))
            }
            Request::TaskList { category } => {
                let tasks = self.runtime.journal.task_list(category.as_deref()).await?;
                json(&tasks.into_iter().map(replies::task).collect::<Vec<TaskReply>>())
            }
            Request::CategoryList => {
                let categories = self.runtime.journal.category_list().await?;
                json(&categories.into_iter().map(replies::category).collect::<Vec<CategoryReply>>())
            }
            Request::AgentCreate { template, category, name, request_id } => {
                json(&self.agent_create(&template, &category, name, request_id).await?)
            }
            Request::AgentGet { agent } => json(&self.agent_get(&agent).await?),
            Request::AgentList => json(&self.agent_list().await?),
            Request::RunList { agent, limit } => json(&self.run_list(&agent, limit).await?),
            Request::WakeDrain => {
                json(&DrainReply { ended: self.runtime.waker.run_queued().await? })
            }
        }
    }

    /// Does what a running server does by itself after a request: matches changes with who listens
    /// for them. Says how many wakes wait. If it fails, the next start does it.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn settle(&self) -> Result<usize, Problem> {
        self.runtime.waker.match_changes().await?;
        Ok(self.runtime.waker.queued().await?)
    }

    async fn agent_create(
        &self,
        template: &str,
        category: &str,
        name: Option<String>,
        request: Option<String>,
    ) -> Result<AgentReply, Problem> {
        let template = Template::find(template).map_err(Problem::from)?;
        let category = self.runtime.journal.category_find(category).await?;
        let name = name.unwrap_or_else(|| format!("{} of {}", template.as_str(), category.name));
        let params = CreateAgent { template, category: category.id, name, request };
        let agent = self.runtime.agent_create(params).await?;
        self.agent_get(agent.id.as_str()).await
    }

    async fn agent_get(&self, id: &str) -> Result<AgentReply, Problem> {
        Ok(replies::agent(self.runtime.fleet.agent_status(id).await?))
    }

    async fn agent_list(&self) -> Result<Vec<AgentReply>, Problem> {
        let mut agents = Vec::new();
        for agent in self.runtime.fleet.agent_list().await? {
            agents.push(self.agent_get(agent.id.as_str()).await?);
        }
        Ok(agents)
    }

    async fn run_list(&self, id: &str, limit: usize) -> Result<Vec<RunReply>, Problem> {
        let agent = self.runtime.fleet.agent_get(id).await?.id;
        let runs = self.runtime.waker.runs(agent, limit).await?;
        Ok(runs.into_iter().map(replies::run).collect())
    }
}

#[expect(clippy::unnecessary_wraps, reason = "every arm of the router ends with it")]
fn json<T: Serialize>(reply: &T) -> Result<Value, Problem> {
    Ok(serde_json::to_value(reply).expect("replies are JSON"))
}
