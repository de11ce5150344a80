//! Requests about agents, their wakes and their runs.

use api_types::{
    AgentReply, DrainReply, EventReply, KillReply, PromptParams, QueuedReply, Request, RunReply,
    TemplateReply,
};
use runtime::{Admitted, CreateAgent, Delivery, RunAgain, Subject, Template, Woken};
use serde_json::Value;
use types::{
    Capability, Code, Invalid, ModelRef, Priority, Problem, Run, RunState, WakeReason, limits,
};

use crate::replies;
use crate::route::{Router, json};

impl Router {
    pub(crate) async fn answer_agent(&self, request: Request) -> Result<Value, Problem> {
        match request {
            Request::AgentCreate { template, category, task, name, request_id } => {
                let (subject, called) = self.subject(&template, category, task).await?;
                let name = name.or(called);
                let params = CreateAgent { template, subject, name, request: request_id };
                let agent = self.runtime.agent_create(params).await?;
                let reply = self.agent_get(agent.id.as_str()).await?;
                json(&AgentReply { again: agent.again, ..reply })
            }
            Request::TemplateList {} => json(&self.template_list()),
            Request::TemplateGet { template } => json(&self.template_get(&template)?),
            Request::AgentGet { agent } => json(&self.agent_get(&agent).await?),
            Request::AgentList {} => json(&self.agent_list().await?),
            Request::RunList { agent, limit } => json(&self.run_list(&agent, limit).await?),
            Request::EventList { agent, after, limit } => {
                json(&self.event_list(&agent, after, limit).await?)
            }
            Request::RunCancel { agent, run } => {
                json(&self.run_cancel(&agent, run.as_deref()).await?)
            }
            Request::Report { agent, scope } => json(&self.report(&agent, scope.as_deref()).await?),
            Request::Reports { about, agent, limit } => {
                json(&self.reports(about, agent.as_deref(), limit).await?)
            }
            Request::WakeDrain {} => json(&self.drain().await?),
            Request::Wake { agent, request_id, model } => {
                json(&self.wake(&agent, request_id, model).await?)
            }
            Request::RunAgain { agent, run, request_id, wait_ms, model } => {
                let woken = self.run_again(&agent, run.as_deref(), request_id, model).await?;
                json(&self.once_over(woken, wait_ms).await?)
            }
            Request::Prompt(prompt) => {
                let wait_ms = prompt.wait_ms;
                let Admitted { run_key, again, .. } = self.admit(prompt).await?;
                json(&self.once_over(Woken { run_key, again }, wait_ms).await?)
            }
            Request::RunFollow { agent, run, after: _, wait_ms } => {
                json(&self.run_follow(&agent, run.as_deref(), wait_ms).await?)
            }
            Request::Session(call) => self.answer_session(call).await,
            Request::Replay { agent, run } => json(&self.replay(&agent, run.as_deref()).await?),
            Request::DebugPrompt { agent } => json(&self.debug_prompt(&agent).await?),
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
            Request::Kill { on, tools: None } => json(&self.kill(on).await?),
            Request::Kill { on, tools: Some(class) } => json(&self.kill_tools(on, &class).await?),
            Request::KillGet {} => json(&self.kill_get().await?),
            other => self.answer_consent(other).await,
        }
    }

    async fn drain(&self) -> Result<DrainReply, Problem> {
        let failed = || self.runtime.waker.metrics().runs_failed;
        let before = failed();
        let ended = tokio::select! {
            ended = self.runtime.drain() => ended?,
            () = self.told_to_stop() => return Err(left_by_a_stop()),
        };
        Ok(DrainReply { ended, failed: failed() - before })
    }

    async fn kill(&self, on: bool) -> Result<KillReply, Problem> {
        match on {
            true => self.runtime.fleet.kill_on().await?,
            false => self.runtime.fleet.kill_off().await?,
        }
        self.kill_get().await
    }

    async fn kill_tools(&self, on: bool, class: &str) -> Result<KillReply, Problem> {
        let Some(class) = Capability::named(class) else {
            let all = Capability::ALL.map(Capability::as_str).join(", ");
            let message = format!("there is no class of tools called {class}");
            return Err(Problem::new(Code::WrongUsage, message, format!("it is one of {all}")));
        };
        match on {
            true => self.runtime.fleet.tools_stop(class).await?,
            false => self.runtime.fleet.tools_allow(class).await?,
        }
        self.kill_get().await
    }

    async fn kill_get(&self) -> Result<KillReply, Problem> {
        let fleet = &self.runtime.fleet;
        Ok(KillReply { on: fleet.killed().await?, tools: fleet.tools_stopped().await? })
    }

    async fn wake(
        &self,
        agent: &str,
        request: Option<String>,
        model: Option<String>,
    ) -> Result<QueuedReply, Problem> {
        let agent = self.runtime.fleet.agent_get(agent).await?.id;
        let (request, model) = (self.request_or_new(request), named_model(model.as_deref())?);
        let woken = self.runtime.ingress.wake_to_ask(&agent, &request, model).await?;
        self.once_over(woken, None).await
    }

    async fn run_again(
        &self,
        agent: &str,
        run: Option<&str>,
        request: Option<String>,
        model: Option<String>,
    ) -> Result<Woken, Problem> {
        let id = self.runtime.fleet.agent_get(agent).await?.id;
        let runs = self.runtime.waker.runs(id, limits::ROWS_PER_READ_MAX).await?;
        // The last run may be another by now: whoever asks again means the one that was made for that.
        let asked = [WakeReason::UserInitiated, WakeReason::Manual];
        let made = |run: &&Run| {
            let named = request.is_some() && run.draft.reason_id == request;
            named && asked.contains(&run.draft.reason)
        };
        if let Some(made) = runs.iter().find(made) {
            return Ok(Woken { run_key: made.draft.run_key, again: true });
        }
        let ended =
            |run: &&Run| matches!(run.state, RunState::Ended { .. }) && run.merged_into.is_none();
        let run = match (run, runs.iter().find(ended)) {
            (Some(name), _) => self.run_named(agent, Some(name)).await?,
            (None, Some(last)) => last.draft.run_key,
            (None, None) => {
                let message = format!("no run of {agent} is over yet");
                let hint = format!("`dormouse runs {agent}` lists them");
                return Err(Problem::new(Code::UnknownRecord, message, hint));
            }
        };
        let (request, model) = (self.request_or_new(request), named_model(model.as_deref())?);
        let (agent, surface) = (agent.to_owned(), self.door);
        self.runtime.run_again(RunAgain { agent, run, model, request, surface }).await
    }

    /// What was queued, and what came of it, if whoever asked waits for that.
    async fn once_over(&self, woken: Woken, wait_ms: Option<u64>) -> Result<QueuedReply, Problem> {
        let brief = match wait_ms {
            Some(wait_ms) => Some(self.brief(woken.run_key, wait_ms).await?),
            None => None,
        };
        Ok(QueuedReply { run_key: woken.run_key.to_string(), again: woken.again, brief })
    }

    pub(crate) async fn admit(&self, prompt: PromptParams) -> Result<Admitted, Problem> {
        let PromptParams { agent, text, session, request_id, interject, model, .. } = prompt;
        let agent = self.runtime.fleet.agent_get(&agent).await?.id;
        let session = match session {
            Some(session) => Some(self.runtime.sessions.name_meant(&agent, session).await?),
            None => None,
        };
        let (request, model) = (self.request_or_new(request_id), named_model(model.as_deref())?);
        let surface = self.door;
        let prompt = Delivery::prompt(agent, text, request);
        let priority = if interject { Priority::Interject } else { prompt.priority };
        let delivery = Delivery { session, surface, model, priority, ..prompt };
        Ok(self.runtime.ingress.admit(delivery).await?)
    }

    fn request_or_new(&self, request: Option<String>) -> String {
        request.unwrap_or_else(|| self.runtime.new_request())
    }

    /// What a new agent is made for, and what it is called if nobody says.
    async fn subject(
        &self,
        template: &str,
        category: Option<String>,
        task: Option<String>,
    ) -> Result<(Subject, Option<String>), Problem> {
        let template = self.runtime.fleet.templates().find(template)?;
        match (category, task) {
            (Some(category), None) => {
                let category = self.runtime.journal.category_find(&category).await?;
                let called = format!("{} of {}", template.name, category.name);
                Ok((Subject::Category(category.id), Some(called)))
            }
            (None, Some(task)) => {
                let task = self.runtime.journal.task_get(&task).await?;
                Ok((Subject::Task(task.id), None))
            }
            _ => {
                let (name, needs) = (&template.name, template.kind.needs());
                let message = format!("an agent of the template {name} is made for one {needs}");
                let hint = format!("name it with `--{needs}`, and nothing else");
                Err(Problem::new(Code::WrongUsage, message, hint))
            }
        }
    }

    fn template_list(&self) -> Vec<TemplateReply> {
        let short = |one: &Template| TemplateReply { text: None, ..replies::template(one) };
        self.runtime.fleet.templates().all().map(short).collect()
    }

    fn template_get(&self, name: &str) -> Result<TemplateReply, Problem> {
        Ok(replies::template(self.runtime.fleet.templates().find(name)?))
    }

    async fn agent_get(&self, id: &str) -> Result<AgentReply, Problem> {
        let status = self.runtime.fleet.agent_status(id).await?;
        let spending = self.runtime.turns.spending(&status.view.identity).await?;
        let budget = spending.as_ref().map(replies::budget);
        Ok(AgentReply { budget, ..replies::agent(status) })
    }

    async fn agent_list(&self) -> Result<Vec<AgentReply>, Problem> {
        let mut agents = Vec::new();
        for agent in self.runtime.fleet.agent_list().await? {
            let status = self.runtime.fleet.agent_status(agent.id.as_str()).await?;
            agents.push(replies::agent(status));
        }
        Ok(agents)
    }

    async fn run_list(&self, id: &str, limit: usize) -> Result<Vec<RunReply>, Problem> {
        let agent = self.runtime.fleet.agent_get(id).await?.id;
        let runs = self.runtime.waker.runs(agent.clone(), limit).await?;
        let mut turns = self.runtime.waker.turns(&runs).await?;
        let mut awaits = self.runtime.waker.awaits(&agent, &runs).await?;
        let mut failed = self.runtime.waker.failed_so_far(&runs).await?;
        let mut taken_up = self.runtime.waker.taken_up(&runs).await?;
        let reply = |run: Run| {
            let key = run.draft.run_key;
            let (failed_before, taken_up_by) = (failed.remove(&key), taken_up.remove(&key));
            RunReply {
                failed_before,
                taken_up_by: taken_up_by.map(|other| other.to_string()),
                ..replies::run(run, turns.remove(&key), awaits.remove(&key))
            }
        };
        Ok(runs.into_iter().map(reply).collect())
    }

    async fn event_list(
        &self,
        id: &str,
        after: Option<u64>,
        limit: usize,
    ) -> Result<Vec<EventReply>, Problem> {
        let agent = self.runtime.fleet.agent_get(id).await?.id;
        let events = self.runtime.store.events(agent, after, limit).await?;
        Ok(events.into_iter().map(replies::event).collect())
    }

    async fn run_cancel(&self, id: &str, run: Option<&str>) -> Result<RunReply, Problem> {
        let agent = self.runtime.fleet.agent_get(id).await?.id;
        let run = self.runtime.waker.run_cancel(&agent, run).await?;
        let turn = self.runtime.waker.turns(std::slice::from_ref(&run)).await?;
        let turn = turn.into_values().next();
        Ok(replies::run(run, turn, None))
    }
}

/// The model of a name.
fn named_model(name: Option<&str>) -> Result<Option<ModelRef>, Problem> {
    let parsed = name.map(str::parse).transpose();
    parsed.map_err(|invalid: Invalid| {
        let hint = "a model is written like local/test-model";
        Problem::new(Code::WrongUsage, invalid.to_string(), hint)
    })
}

/// What is said to whoever waits for all runs when the server stops.
fn left_by_a_stop() -> Problem {
    let message = "the server is stopping, and leaves what is not over yet to the next start";
    Problem::new(
        Code::ServerGone,
        message,
        "start a server, or run what is queued: `dormouse wake --drain`",
    )
}
