//! Who woke, why, what came of it and what it cost: told as it is committed.

use std::collections::VecDeque;

use store::Listing;
use tokio::sync::watch;
use types::{
    AgentId, At, Body, BodyType, BriefKind, ChangeRecord, ContentRef, Counter, Domain, ModelRef,
    Position, Problem, Record, RecordId, RunKey, Turn, TurnId, TurnState, WakeReason, limits,
};

use crate::Runtime;

/// Turns that are remembered as told: a turn is written more than once.
const REMEMBERED: usize = 1_000;

/// A turn that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnTold {
    /// When it was over.
    pub at: At,
    /// Whose it was.
    pub agent: AgentId,
    /// What people call it.
    pub name: String,
    /// Of which run.
    pub run_key: RunKey,
    /// Why the agent woke.
    pub reason: WakeReason,
    /// What it did to the journal, by verb.
    pub did: Vec<String>,
    /// It wrote a report.
    pub reported: bool,
    /// What it said: a result, or that it failed.
    pub kind: BriefKind,
    /// The words.
    pub brief: String,
    /// Who was asked.
    pub model: ModelRef,
    /// How often.
    pub model_calls: u32,
    /// Tokens, sent and received.
    pub tokens: u64,
    /// What that cost, in millionths.
    pub cost_micros: u64,
    /// What the operator is warned of besides.
    pub warning: Option<String>,
}

/// An account of turns from a moment on.
pub struct Account {
    runtime: Runtime,
    grows: watch::Receiver<Position>,
    from: Position,
    /// The last of them, oldest first.
    told: VecDeque<RunKey>,
}

impl Runtime {
    /// An account of all turns that end from now on.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn account(&self) -> Result<Account, Problem> {
        let grows = self.store.watch(Domain::Agent);
        let from = self.store.head(Domain::Agent).await?;
        Ok(Account { runtime: self.clone(), grows, from, told: VecDeque::new() })
    }
}

impl Account {
    /// The turns that ended since it was last asked; waits until there are some. After a failure it can be asked
    /// again, and misses nothing.
    ///
    /// # Errors
    /// If the store cannot read, or closes.
    pub async fn next(&mut self) -> Result<Vec<TurnTold>, Problem> {
        loop {
            self.grows.borrow_and_update();
            let told = self.page().await?;
            if !told.is_empty() {
                return Ok(told);
            }
            if *self.grows.borrow() <= self.from && self.grows.changed().await.is_err() {
                return Err(store::StoreError::Closed.into());
            }
        }
    }

    async fn page(&mut self) -> Result<Vec<TurnTold>, Problem> {
        let limit = limits::ROWS_PER_READ_MAX;
        let changes = self.runtime.store.changes(Domain::Agent, self.from, limit).await?;
        let mut told = Vec::new();
        for change in changes {
            match self.ended(&change).await {
                Ok(turns) => told.extend(turns),
                Err(problem) if told.is_empty() => return Err(problem),
                // What was read is told first, and the rest is read again from here.
                Err(_) => break,
            }
            self.from = change.position;
        }
        self.told.extend(told.iter().map(|turn| turn.run_key));
        let forgotten = self.told.len().saturating_sub(REMEMBERED);
        self.told.drain(..forgotten);
        Ok(told)
    }

    /// The turns that a change has ended, and that were not told of before.
    async fn ended(&self, change: &ChangeRecord) -> Result<Vec<TurnTold>, Problem> {
        let mut ended = Vec::new();
        for id in self.written(change).await? {
            ended.extend(self.turn(id).await?);
        }
        Ok(ended)
    }

    /// The turns that a change has written.
    async fn written(&self, change: &ChangeRecord) -> Result<Vec<RecordId>, Problem> {
        let (host, before) = (change.host.clone(), Counter(change.counter.0.saturating_sub(1)));
        let limit = limits::ROWS_PER_READ_MAX;
        let noted = self.runtime.store.sequence(Domain::Agent, host, before, limit).await?;
        let own = noted.into_iter().filter(|entry| entry.counter == change.counter);
        let turns = own.filter(|entry| entry.payload_id.as_str().parse::<TurnId>().is_ok());
        Ok(turns.map(|entry| entry.payload_id).collect())
    }

    async fn turn(&self, id: RecordId) -> Result<Option<TurnTold>, Problem> {
        let record = self.runtime.store.record(Domain::Agent, id).await?;
        let Some(Body::AgentTurn(turn)) = record.map(|record| record.body) else { return Ok(None) };
        if turn.state == TurnState::Open || self.told.contains(&turn.run_key) {
            return Ok(None);
        }
        self.runtime.told(*turn).await
    }
}

impl Runtime {
    async fn told(&self, turn: Turn) -> Result<Option<TurnTold>, Problem> {
        let TurnState::Settled { terminal, brief, spent, warning, .. } = turn.state else {
            return Ok(None);
        };
        let operations = self.store.operations_of_run(Domain::Journal, turn.run_key).await?;
        let listing = Listing::of(turn.agent_id.as_str(), BodyType::AgentReport, 1);
        let newest = self.store.records(Domain::Agent, listing).await?.pop();
        let wrote = |record: &Record| match &record.body {
            Body::AgentReport(report) => report.run_key == turn.run_key,
            _ => false,
        };
        let agent = self.fleet.agent_get(turn.agent_id.as_str()).await?;
        let reported = newest.as_ref().is_some_and(wrote);
        Ok(Some(TurnTold {
            at: terminal.completed_at,
            agent: turn.agent_id,
            name: agent.identity.display_name,
            run_key: turn.run_key,
            reason: turn.reason,
            did: operations.into_iter().map(|one| one.verb).collect(),
            reported,
            kind: brief.kind,
            brief: self.words(brief.content).await?,
            model: turn.model,
            model_calls: spent.model_calls,
            tokens: spent.tokens.total_tokens,
            cost_micros: spent.cost_micros,
            warning,
        }))
    }

    async fn words(&self, at: ContentRef) -> Result<String, Problem> {
        let content = self.store.content(Domain::Agent, at).await?;
        let words = content.map(|content| String::from_utf8_lossy(&content.bytes).into_owned());
        Ok(words.unwrap_or_default())
    }
}
