//! A wake that somebody asks for.

use rules::matching::draft;
use rules::planted::{self, Fault};
use rules::run_key::Cause;
use serde_json::json;
use types::{
    AdmissionContext, AgentId, AuditDraft, Author, Commit, Domain, Invalid, OperationDraft, RunKey,
    Write,
};

use crate::refuse::named;
use crate::steps::WAKE;
use crate::{Error, Ingress};

impl Ingress {
    /// Asks an agent to look again with everything it has. The same request again is the same run.
    ///
    /// # Errors
    /// If the agent is not there, over or dormant, or everything is stopped.
    pub async fn wake(&self, agent: &AgentId, request: &str) -> Result<RunKey, Error> {
        Invalid::unless_request(request)?;
        let guards = self.open_and_awake(agent, AdmissionContext::LocalProcess).await?;
        let run = draft(agent, &Cause::Manual { request }, Some(request.to_owned()));
        let run_key = run.run_key;
        let operation = OperationDraft {
            id: rules::operation::id_of_request("wake", &run_key.to_string()),
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
        self.store.commit(commit).await?.done().map_err(named)?;
        Ok(run_key)
    }
}
