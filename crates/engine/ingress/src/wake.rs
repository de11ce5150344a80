//! A wake that somebody asks for.

use rules::matching::draft;
use rules::planted::{self, Fault};
use rules::run_key::Cause;
use serde_json::json;
use types::{
    AdmissionContext, AgentId, AuditDraft, Author, Commit, Domain, Invalid, ModelRef,
    OperationDraft, Outcome, RunDraft, RunKey, Write,
};

use crate::refuse::named;
use crate::steps::WAKE;
use crate::{Error, Ingress};

/// A wake that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Woken {
    /// Its run.
    pub run_key: RunKey,
    /// It had been asked for before, under the same name.
    pub again: bool,
}

impl Ingress {
    /// Asks an agent to look again with everything it has. The same request again is the same run.
    ///
    /// # Errors
    /// If the agent is not there, over or dormant, or everything is stopped.
    pub async fn wake(&self, agent: &AgentId, request: &str) -> Result<Woken, Error> {
        self.wake_to_ask(agent, request, None).await
    }

    /// The same, to ask another model than the agent has, if one is named.
    ///
    /// # Errors
    /// The same.
    pub async fn wake_to_ask(
        &self,
        agent: &AgentId,
        request: &str,
        model: Option<ModelRef>,
    ) -> Result<Woken, Error> {
        Invalid::unless_request(request)?;
        let run = draft(agent, &Cause::Manual { request }, Some(request.to_owned()));
        let run = RunDraft { model, ..run };
        let run_key = run.run_key;
        let id = rules::operation::id_of_request("wake", &run_key.to_string());
        let guards = match self.open_and_awake(agent, AdmissionContext::LocalProcess).await {
            Ok(guards) => guards,
            // Whoever asks again is told so, whatever has happened since.
            Err(refused) => {
                let done = self.store.operation(Domain::Agent, id).await?;
                return done.map(|_| Woken { run_key, again: true }).ok_or(refused);
            }
        };
        let operation = OperationDraft {
            id,
            verb: "wake",
            subject: agent.into(),
            run_key: None,
            result: json!({ "run_key": run_key }),
        };
        let audit = AuditDraft {
            action: "agent.wake",
            subject: agent.to_string(),
            detail: format!("run={run_key}"),
        };
        let writes = vec![Write::QueueRun(run)];
        let now = self.world.now();
        let commit = Commit {
            guards,
            operation: Some(operation).filter(|_| !planted::is(Fault::MissingDedupe)),
            audit: vec![audit],
            ..Commit::new(Domain::Agent, Author::Operator, now, writes).named(WAKE)
        };
        match self.store.commit(commit).await? {
            Outcome::Applied(_) => Ok(Woken { run_key, again: false }),
            Outcome::Idempotent(_) => Ok(Woken { run_key, again: true }),
            Outcome::Conflict(conflict) => Err(named(conflict)),
        }
    }
}
