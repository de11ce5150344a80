//! How an agent stands: what can wake it, what it still has to do, and whether anything is stuck.

use rules::obligation::{self, Liveness, Obligation};
use store::Listing;
use types::{
    At, Body, BodyType, ClosureOutcome, Domain, LastTurn, Lifecycle, Record, Rest, RestReason,
    RunState, ScheduleId, ScheduleStatus, TriggerStatus, WaitFor, WaitId, limits,
};

use crate::{AgentView, Error, Fleet};

/// What an agent is doing while one of its runs is under way.
const AWAKE: &str = "awake_running";

/// One way in which an agent can be woken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// Of which kind: `subscription`, `schedule`, `trigger` or `wait`.
    pub kind: &'static str,
    /// Which one.
    pub id: String,
    /// What it listens for, or when it comes.
    pub what: Vec<String>,
}

/// How an agent stands.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentStatus {
    /// The agent.
    pub view: AgentView,
    /// What it is doing on this host.
    pub posture: &'static str,
    /// What can wake it; the operator always can.
    pub edges: Vec<Edge>,
    /// What it still has to do.
    pub obligations: Vec<Obligation>,
    /// How it last went to sleep.
    pub rest: Option<Rest>,
    /// How its last turn left it.
    pub last_turn: Option<LastTurn>,
}

impl AgentStatus {
    /// Whether something it has to do will never wake it. One that is destroyed has nothing to do: what is queued
    /// for it ends unseen.
    #[must_use]
    pub fn is_flagged(&self) -> bool {
        let over = matches!(self.view.identity.lifecycle, Lifecycle::Destroyed { .. });
        !over && self.obligations.iter().any(Obligation::is_stuck)
    }

    /// Since when it sleeps and why; nothing while it runs. A rest is noted when a turn begins and again when
    /// it ends well, so how one ended that failed is known from the turn.
    #[must_use]
    pub fn sleep(&self) -> Option<(At, RestReason)> {
        let rest = self.rest.as_ref().filter(|_| self.posture != AWAKE)?;
        let failed =
            self.last_turn.as_ref().is_some_and(|last| last.outcome == ClosureOutcome::Failed);
        match rest.why {
            RestReason::Done if failed => Some((rest.slept_at, RestReason::Failed)),
            why => Some((rest.slept_at, why)),
        }
    }
}

impl Fleet {
    /// How an agent stands.
    ///
    /// # Errors
    /// If there is none.
    pub async fn agent_status(&self, id: &str) -> Result<AgentStatus, Error> {
        let view = self.agent_get(id).await?;
        let limit = limits::ROWS_PER_READ_MAX;
        let waits = self.store.open_waits(view.id.clone(), limit).await?;
        let runs = self.store.open_runs(view.id.clone(), limit).await?;
        let may_wake = view.identity.lifecycle.may_wake();
        let mut obligations: Vec<Obligation> =
            runs.iter().map(|run| obligation::of_run(run, may_wake)).collect();
        let mut awaits_job = false;
        for record in &waits {
            let Body::AgentWait(wait) = &record.body else { continue };
            let Ok(id) = record.id.as_str().parse::<WaitId>() else { continue };
            awaits_job |= matches!(wait.waiting_for, WaitFor::Job { .. });
            let source = self.liveness(&wait.waiting_for).await?;
            obligations.push(obligation::of_wait(&id, wait, &source));
        }
        let begun = runs.iter().any(|run| matches!(run.state, RunState::Started { .. }));
        let posture = match (begun, awaits_job) {
            (true, _) => AWAKE,
            (false, true) => "awaiting_job",
            (false, false) => "asleep",
        };
        let edges = self.edges(&view, &waits).await?;
        let rest = self.store.rest(view.id.clone()).await?;
        let last_turn = self.last_turn(&view).await?;
        Ok(AgentStatus { view, posture, edges, obligations, rest, last_turn })
    }

    async fn last_turn(&self, view: &AgentView) -> Result<Option<LastTurn>, Error> {
        let id = (&view.identity.current_state_id).into();
        let state = self.store.record(Domain::Agent, id).await?;
        Ok(match state.map(|record| record.body) {
            Some(Body::AgentState(state)) => state.last_turn.map(|last| *last),
            _ => None,
        })
    }

    /// Whether what is waited for can still happen, as far as the rows tell.
    async fn liveness(&self, source: &WaitFor) -> Result<Liveness, Error> {
        let Some(id) = source.record() else { return Ok(Liveness::Live) };
        let record = match id.parse() {
            Ok(id) => self.store.record(Domain::Agent, id).await?,
            Err(_) => None,
        };
        Ok(obligation::liveness(record.as_ref()))
    }

    async fn edges(&self, view: &AgentView, waits: &[Record]) -> Result<Vec<Edge>, Error> {
        if !view.identity.lifecycle.may_wake() {
            return Ok(vec![]);
        }
        let mut edges = Vec::new();
        for kind in [BodyType::AgentSubscription, BodyType::AgentSchedule, BodyType::AgentTrigger] {
            let listing = Listing::of(view.id.as_str(), kind, limits::ROWS_PER_READ_MAX);
            for record in self.store.records(Domain::Agent, listing).await? {
                edges.extend(self.edge(record).await?);
            }
        }
        let of_wait = |record: &Record| match &record.body {
            Body::AgentWait(wait) => {
                let what = vec![wait.waiting_for.source(), format!("deadline:{}", wait.deadline)];
                Some(Edge { kind: "wait", id: record.id.to_string(), what })
            }
            _ => None,
        };
        edges.extend(waits.iter().filter_map(of_wait));
        Ok(edges)
    }

    /// The edge of a record, if it can still fire.
    async fn edge(&self, record: Record) -> Result<Option<Edge>, Error> {
        let id = record.id.to_string();
        Ok(match record.body {
            Body::AgentSubscription(body) if body.active => {
                let what = body.tokens.iter().map(ToString::to_string).collect();
                Some(Edge { kind: "subscription", id, what })
            }
            Body::AgentTrigger(body) if body.status == TriggerStatus::Active => {
                Some(Edge { kind: "trigger", id, what: vec![] })
            }
            Body::AgentSchedule(body) if body.status == ScheduleStatus::Active => {
                let Ok(schedule) = id.parse::<ScheduleId>() else { return Ok(None) };
                let arming = self.store.arming(schedule).await?;
                let next = arming.and_then(|arming| arming.next_at);
                next.map(|at| Edge { kind: "schedule", id, what: vec![format!("next:{at}")] })
            }
            _ => None,
        })
    }
}
