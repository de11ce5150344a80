//! What is told of an event to somebody who watches all agents: a turn that is over, a look that found nothing
//! to decide, a change of life. Of everything else nothing.

use rules::dormancy;
use serde_json::{Value, from_value};
use store::Listing;
use types::{
    AgentId, At, Body, BodyType, BriefKind, ContentRef, Domain, Event, EventKind, Lifecycle,
    ModelRef, Problem, Record, RecordId, RunEnd, RunKey, RunState, Turn, TurnState, WakeReason,
};

use crate::Runtime;

/// Something that happened to an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// A turn is over.
    Turn(Box<TurnTold>),
    /// It looked, and there was nothing to decide.
    Look(LookTold),
    /// It rests now, goes on, or is over.
    Life(LifeTold),
}

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

/// A look that ended without a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookTold {
    /// When it was over.
    pub at: At,
    /// Who looked.
    pub agent: AgentId,
    /// What people call it.
    pub name: String,
    /// In which run.
    pub run_key: RunKey,
    /// Why the agent woke.
    pub reason: WakeReason,
    /// The rule which said that there was nothing to decide.
    pub rule: String,
    /// Changes that it saw.
    pub changes_seen: u64,
}

/// How an agent stands in life now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LifeTold {
    /// Since when.
    pub at: At,
    /// Who.
    pub agent: AgentId,
    /// What people call it.
    pub name: String,
    /// How it stands.
    pub lifecycle: Lifecycle,
    /// Why, if it rests.
    pub why: Option<String>,
    /// What brings it back, if it rests.
    pub way_back: Option<String>,
}

impl Runtime {
    pub(crate) async fn seen(&self, event: &Event) -> Result<Option<Seen>, Problem> {
        match event.kind.as_str() {
            kind if kind == EventKind::TurnSettled.as_str() => self.turn_told(event).await,
            kind if kind == EventKind::RunEnded.as_str() => self.look_told(event).await,
            kind if kind == EventKind::LifecycleChanged.as_str() => self.life_told(event).await,
            _ => Ok(None),
        }
    }

    async fn turn_told(&self, event: &Event) -> Result<Option<Seen>, Problem> {
        let Ok(id) = from_value::<RecordId>(field(event, "turn")) else { return Ok(None) };
        let record = self.store.record(Domain::Agent, id).await?;
        let Some(Body::AgentTurn(turn)) = record.map(|record| record.body) else { return Ok(None) };
        let Turn { agent_id, run_key, reason, model, state, .. } = *turn;
        let TurnState::Settled { terminal, brief, spent, warning, .. } = state else {
            return Ok(None);
        };
        let operations = self.store.operations_of_run(Domain::Journal, run_key).await?;
        Ok(Some(Seen::Turn(Box::new(TurnTold {
            at: terminal.completed_at,
            name: self.name_of(&agent_id).await?,
            run_key,
            reason,
            did: operations.into_iter().map(|one| one.verb).collect(),
            reported: self.reported(&agent_id, &run_key).await?,
            kind: brief.kind,
            brief: self.words(brief.content).await?,
            model,
            model_calls: spent.model_calls,
            tokens: spent.tokens.total_tokens,
            cost_micros: spent.cost_micros,
            warning,
            agent: agent_id,
        }))))
    }

    async fn look_told(&self, event: &Event) -> Result<Option<Seen>, Problem> {
        let Ok(run_key) = from_value::<RunKey>(field(event, "run_key")) else { return Ok(None) };
        let Some(run) = self.store.run(run_key).await? else { return Ok(None) };
        let RunState::Ended { at, end: RunEnd::NothingToDo(receipt) } = run.state else {
            return Ok(None);
        };
        Ok(Some(Seen::Look(LookTold {
            at,
            agent: event.agent.clone(),
            name: self.name_of(&event.agent).await?,
            run_key,
            reason: run.draft.reason,
            rule: receipt.rule,
            changes_seen: receipt.changes_seen,
        })))
    }

    async fn life_told(&self, event: &Event) -> Result<Option<Seen>, Problem> {
        let lifecycle = from_value::<Lifecycle>(field(event, "lifecycle"));
        let Ok(lifecycle) = lifecycle else { return Ok(None) };
        let cause = match lifecycle {
            Lifecycle::Dormant { cause } => Some(cause),
            Lifecycle::Created | Lifecycle::Active | Lifecycle::Destroyed { .. } => None,
        };
        // Who rests by somebody's word was not told why.
        let why = field(event, "why").as_str().map(str::to_owned);
        Ok(Some(Seen::Life(LifeTold {
            at: event.at,
            agent: event.agent.clone(),
            name: self.name_of(&event.agent).await?,
            lifecycle,
            why: why.or(cause.map(|cause| dormancy::words(cause).to_owned())),
            way_back: cause.map(|cause| dormancy::way_back(cause, &event.agent)),
        })))
    }

    /// What people call an agent; its id, if there is no such agent any more.
    async fn name_of(&self, agent: &AgentId) -> Result<String, Problem> {
        let record = self.store.record(Domain::Agent, agent.into()).await?;
        Ok(match record.map(|record| record.body) {
            Some(Body::Agent(identity)) => identity.display_name,
            _ => agent.to_string(),
        })
    }

    /// Whether the newest report of an agent is of this run.
    async fn reported(&self, agent: &AgentId, run_key: &RunKey) -> Result<bool, Problem> {
        let listing = Listing::of(agent.as_str(), BodyType::AgentReport, 1);
        let newest = self.store.records(Domain::Agent, listing).await?.pop();
        Ok(newest.is_some_and(|Record { body, .. }| match body {
            Body::AgentReport(report) => report.run_key == *run_key,
            _ => false,
        }))
    }

    async fn words(&self, at: ContentRef) -> Result<String, Problem> {
        let content = self.store.content(Domain::Agent, at).await?;
        let words = content.map(|content| String::from_utf8_lossy(&content.bytes).into_owned());
        Ok(words.unwrap_or_default())
    }
}

/// What an event says under a name. What cannot be read, since a newer program wrote it, is not told.
fn field(event: &Event, name: &str) -> Value {
    event.body.get(name).cloned().unwrap_or_default()
}
