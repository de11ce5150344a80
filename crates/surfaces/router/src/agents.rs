//! Requests about agents, their wakes and their runs.

use api_types::{AgentReply, DrainReply, KillReply, QueuedReply, Request, RunReply};
use runtime::{CreateAgent, Delivery, Template};
use serde_json::Value;
use types::Problem;

use crate::replies;
use crate::route::{Router, json};

impl Router {
    pub(crate) async fn answer_agent(&self, request: Request) -> Result<Value, Problem> {
        match request {
            Request::AgentCreate { template, category, name, request_id } => {
                json(&self.agent_create(&template, &category, name, request_id).await?)
            }
            Request::AgentGet { agent } => json(&self.agent_get(&agent).await?),
            Request::AgentList => json(&self.agent_list().await?),
            Request::RunList { agent, limit } => json(&self.run_list(&agent, limit).await?),
            Request::WakeDrain => json(&DrainReply { ended: self.runtime.drain().await? }),
            Request::Wake { agent, request_id } => json(&self.wake(&agent, request_id).await?),
            Request::Prompt { agent, text, request_id } => {
                json(&self.prompt(&agent, text, request_id).await?)
            }
            Request::AgentPause { agent } => {
                self.runtime.fleet.agent_pause(&agent).await?;
                json(&self.agent_get(&agent).await?)
            }
            Request::AgentStop { agent } => {
                self.runtime.fleet.agent_stop(&agent).await?;
                json(&self.agent_get(&agent).await?)
            }
            Request::AgentResume { agent } => {
                self.runtime.fleet.agent_resume(&agent).await?;
                json(&self.agent_get(&agent).await?)
            }
            Request::AgentDestroy { agent } => {
                self.runtime.fleet.agent_destroy(&agent).await?;
                json(&self.agent_get(&agent).await?)
            }
            Request::Kill { on } => json(&self.kill(on).await?),
            Request::KillGet => json(&KillReply { on: self.runtime.fleet.killed().await? }),
            other => self.answer_schedule(other).await,
        }
    }

    async fn kill(&self, on: bool) -> Result<KillReply, Problem> {
        match on {
            true => self.runtime.fleet.kill_on().await?,
            false => self.runtime.fleet.kill_off().await?,
        }
        Ok(KillReply { on })
    }

    async fn wake(&self, agent: &str, request: Option<String>) -> Result<QueuedReply, Problem> {
        let agent = self.runtime.fleet.agent_get(agent).await?.id;
        let request = request.unwrap_or_else(|| self.runtime.new_request());
        let run_key = self.runtime.ingress.wake(&agent, &request).await?;
        Ok(QueuedReply { run_key: run_key.to_string(), again: false })
    }

    async fn prompt(
        &self,
        agent: &str,
        text: String,
        request: Option<String>,
    ) -> Result<QueuedReply, Problem> {
        let agent = self.runtime.fleet.agent_get(agent).await?.id;
        let request = request.unwrap_or_else(|| self.runtime.new_request());
        let admitted = self.runtime.ingress.admit(Delivery::prompt(agent, text, request)).await?;
        Ok(QueuedReply { run_key: admitted.run_key.to_string(), again: admitted.again })
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
