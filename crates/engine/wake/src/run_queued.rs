//! Running what is queued.

use rules::facts::{self, Delta, Relevance};
use serde_json::json;
use types::{
    AgentId, At, Author, Body, Commit, CursorMove, CursorName, Domain, EventDraft, EventKind,
    Lifecycle, Outcome, Position, Run, RunEnd, Token, Usage, Write, limits,
};

use crate::{Error, Waker};

impl Waker {
    /// Runs what is queued until nothing is; says how many runs ended.
    ///
    /// # Errors
    /// If the store cannot. What was not run stays queued.
    pub async fn run_queued(&self) -> Result<u64, Error> {
        let mut ended = 0;
        loop {
            let queued = self.store.queued_runs(limits::ROWS_PER_READ_MAX).await?;
            if queued.is_empty() {
                return Ok(ended);
            }
            for run in queued {
                self.run(&run).await?;
                ended += 1;
            }
        }
    }

    /// Takes one run to its end in one commit: the terminal row, and how far the agent has looked.
    async fn run(&self, run: &Run) -> Result<(), Error> {
        let agent = &run.draft.agent;
        let name = CursorName::of_agent(agent);
        // Both are read before the changes, so that what comes in meanwhile is in the next delta.
        let from = self.store.cursor(Domain::Agent, name, Domain::Journal).await?;
        let to = self.store.head(Domain::Journal).await?;
        let end = match self.lifecycle(agent).await? {
            Some(stage) if stage.may_wake() => self.look(run, from, to).await?,
            Some(Lifecycle::Dormant { .. }) => RunEnd::SkippedSleeping,
            _ => RunEnd::SkippedDestroyed,
        };
        match self.store.commit(plan(run, end, from, to, self.world.now())).await? {
            Outcome::Applied(_) | Outcome::Idempotent(_) => Ok(()),
            Outcome::Conflict(conflict) => Err(conflict.into()),
        }
    }

    async fn lifecycle(&self, agent: &AgentId) -> Result<Option<Lifecycle>, Error> {
        let record = self.store.record(Domain::Agent, agent.into()).await?;
        Ok(record.and_then(|record| match record.body {
            Body::Agent(identity) => Some(identity.lifecycle),
            _ => None,
        }))
    }

    /// Facts first: what changed since this agent last looked, and is any of it its to decide?
    async fn look(&self, run: &Run, from: Position, to: Position) -> Result<RunEnd, Error> {
        let tokens = self.tokens(run).await?;
        let limit = limits::ROWS_PER_READ_MAX;
        let changes = self.store.changes_about(Domain::Journal, tokens, from, to, limit).await?;
        let delta = Delta { agent: &run.draft.agent, from, to, changes: &changes };
        Ok(RunEnd::NothingToDo(facts::decide(&delta, Relevance::Nothing)))
    }

    async fn tokens(&self, run: &Run) -> Result<Vec<Token>, Error> {
        let subscription = run.draft.reason_id.as_ref().and_then(|id| id.parse().ok());
        let Some(subscription) = subscription else { return Ok(vec![]) };
        let record = self.store.record(Domain::Agent, subscription).await?;
        Ok(record.map_or_else(Vec::new, |record| match record.body {
            Body::AgentSubscription(subscription) => subscription.tokens,
            _ => vec![],
        }))
    }
}

fn plan(run: &Run, end: RunEnd, from: Position, to: Position, at: At) -> Commit {
    let agent = &run.draft.agent;
    let run_key = run.draft.run_key;
    let mut writes = vec![Write::Event(EventDraft {
        agent: agent.clone(),
        kind: EventKind::RunEnded,
        body: json!({ "run_key": run_key, "status": end.as_str() }),
    })];
    if to > from {
        let name = CursorName::of_agent(agent);
        writes.push(Write::Cursor(CursorMove { name, log: Domain::Journal, from, to }));
    }
    writes.push(Write::EndRun { run_key, end, usage: Usage::default() });
    Commit::new(Domain::Agent, Author::Runtime, at, writes)
}
