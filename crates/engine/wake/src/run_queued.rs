//! Running what is queued.

use rules::facts::{self, Delta, Relevance};
use serde_json::json;
use store::Listing;
use types::{
    AgentId, At, Author, Body, BodyType, Commit, CursorMove, CursorName, Domain, EventDraft,
    EventKind, Lifecycle, Outcome, Run, RunEnd, Token, Usage, Write, limits,
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
        let end = match self.lifecycle(&run.draft.agent).await? {
            Some(stage) if stage.may_wake() => self.look(&run.draft.agent).await?,
            Some(Lifecycle::Dormant { .. }) => RunEnd::SkippedSleeping,
            _ => RunEnd::SkippedDestroyed,
        };
        match self.store.commit(plan(run, end, self.world.now())).await? {
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
    async fn look(&self, agent: &AgentId) -> Result<RunEnd, Error> {
        let name = CursorName::of_agent(agent);
        // Both are read before the changes, so that what comes in meanwhile is in the next delta.
        let from = self.store.cursor(Domain::Agent, name, Domain::Journal).await?;
        let head = self.store.head(Domain::Journal).await?;
        let tokens = self.tokens(agent).await?;
        let limit = limits::ROWS_PER_READ_MAX;
        let changes = self.store.changes_about(Domain::Journal, tokens, from, head, limit).await?;
        // A full page may not be all: what lies beyond it is for the next look.
        let to = match changes.last() {
            Some(last) if changes.len() == limit => last.position,
            _ => head,
        };
        let delta = Delta { agent, from, to, changes: &changes };
        Ok(RunEnd::NothingToDo(facts::decide(&delta, Relevance::Nothing)))
    }

    /// Everything the agent listens for: its cursor stands for all of it.
    async fn tokens(&self, agent: &AgentId) -> Result<Vec<Token>, Error> {
        let limit = limits::ROWS_PER_READ_MAX;
        let listing = Listing::of(agent.as_str(), BodyType::AgentSubscription, limit);
        let records = self.store.records(Domain::Agent, listing).await?;
        let tokens = records.into_iter().filter_map(|record| match record.body {
            Body::AgentSubscription(subscription) if subscription.active => {
                Some(subscription.tokens)
            }
            _ => None,
        });
        Ok(tokens.flatten().collect())
    }
}

fn plan(run: &Run, end: RunEnd, at: At) -> Commit {
    let agent = &run.draft.agent;
    let run_key = run.draft.run_key;
    let mut writes = vec![Write::Event(EventDraft {
        agent: agent.clone(),
        kind: EventKind::RunEnded,
        body: json!({ "run_key": run_key, "status": end.as_str() }),
    })];
    // Only who has looked has seen: a skipped run leaves the cursor where it was.
    if let RunEnd::NothingToDo(receipt) = &end
        && receipt.journal_to > receipt.journal_from
    {
        writes.push(Write::Cursor(CursorMove {
            name: CursorName::of_agent(agent),
            log: Domain::Journal,
            from: receipt.journal_from,
            to: receipt.journal_to,
        }));
    }
    writes.push(Write::EndRun { run_key, end, usage: Usage::default() });
    Commit::new(Domain::Agent, Author::Runtime, at, writes)
}
