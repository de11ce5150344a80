//! Creating a schedule.

use rules::run_key;
use rules::schedule as rule;
use serde_json::json;
use store::StoreError;
use types::{
    AgentId, ArmMove, At, Author, CatchUp, Commit, Domain, Invalid, OperationDraft, Outcome,
    Overlap, RecordDraft, Recurrence, Schedule, ScheduleAction, ScheduleId, ScheduleStatus,
    ScheduleTrigger, Subscription, Write, limits,
};

use super::view::ScheduleView;
use super::write::audit;
use crate::steps::SCHEDULE;
use crate::{Error, Waker};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateSchedule {
    /// Whose.
    pub agent: AgentId,
    /// When it comes round.
    pub recurrence: Recurrence,
    /// What makes it come round.
    pub trigger: ScheduleTrigger,
    /// By which wall clock.
    pub zone: String,
    /// What happens when it comes round too soon.
    pub overlap: Overlap,
    /// What happens to what was missed.
    pub catch_up: CatchUp,
    /// Ends after its first occurrence.
    pub one_shot: bool,
    /// Wakes its agent even if nothing relevant changed.
    pub always: bool,
    /// No slot after this.
    pub ends_at: Option<At>,
    /// Begins paused.
    pub paused: bool,
    /// Names the request: the same again gives the same schedule. Absent means a new request.
    pub request: Option<String>,
}

impl Waker {
    /// Creates a schedule and sets its clock.
    ///
    /// # Errors
    /// If its pattern or zone makes no sense, or its agent is not there.
    pub async fn schedule_create(&self, params: CreateSchedule) -> Result<ScheduleView, Error> {
        if let Some(request) = &params.request {
            Invalid::unless_request(request).map_err(StoreError::from)?;
            if let Some(made) = self.made_before(request).await? {
                return Ok(made);
            }
        }
        let (now, zone) = (self.world.now(), self.world.zone());
        let agent = params.agent.clone();
        self.refuse_agent(&agent).await?;
        let id = ScheduleId::new(self.world.ulid());
        let body = schedule(&params, now);
        rule::validate(&body)?;
        let label = &body.recurrence.label;
        Invalid::unless_line("label", label, limits::NAME_BYTES_MAX).map_err(StoreError::from)?;
        let mut writes = vec![Write::Record(RecordDraft::live(&id, body.clone()))];
        writes.push(Write::Arm(ArmMove { from: None, to: rule::armed(&id, &body, None, &zone)? }));
        if let ScheduleTrigger::Event { tokens } = &body.trigger {
            let listens = Subscription {
                schedule: Some(id.clone()),
                ..Subscription::to(agent.clone(), tokens.clone())
            };
            let listener = run_key::subscription_id(&agent, "schedule", id.as_str());
            writes.push(Write::Record(RecordDraft::live(listener, listens)));
        }
        let request = params.request.as_deref().unwrap_or(id.as_str());
        let operation = OperationDraft {
            id: rules::operation::id_of_request("create_schedule", request),
            verb: "create_schedule",
            subject: (&id).into(),
            run_key: None,
            result: json!({ "id": id }),
        };
        let commit = Commit {
            operation: Some(operation),
            audit: vec![audit("schedule.create", &id, &body.recurrence.label)],
            ..Commit::new(Domain::Agent, Author::Operator, now, writes).named(SCHEDULE)
        };
        self.notes_time(now);
        match self.store.commit(commit).await? {
            Outcome::Applied(_) => self.schedule_get(id.as_str()).await,
            Outcome::Idempotent(first) => {
                self.again(first.result["id"].as_str().unwrap_or_default()).await
            }
            Outcome::Conflict(conflict) => Err(conflict.into()),
        }
    }

    /// What an earlier try of the same request has made.
    async fn made_before(&self, request: &str) -> Result<Option<ScheduleView>, Error> {
        let id = rules::operation::id_of_request("create_schedule", request);
        let Some(done) = self.store.operation(Domain::Agent, id).await? else { return Ok(None) };
        Ok(Some(self.again(done.subject.as_str()).await?))
    }

    /// A schedule that was made before, and says so.
    async fn again(&self, id: &str) -> Result<ScheduleView, Error> {
        Ok(ScheduleView { again: true, ..self.schedule_get(id).await? })
    }

    async fn refuse_agent(&self, agent: &AgentId) -> Result<(), Error> {
        self.life_of(agent).await?;
        let max = limits::SCHEDULES_MAX;
        let there = self.schedules_that_are(ScheduleStatus::Active, agent).await?.len();
        if there >= max { Err(Error::TooManySchedules { max }) } else { Ok(()) }
    }
}

/// The record of what is asked for.
pub(super) fn schedule(params: &CreateSchedule, now: At) -> Schedule {
    Schedule {
        agent_id: params.agent.clone(),
        recurrence: params.recurrence.clone(),
        trigger: params.trigger.clone(),
        action: ScheduleAction::Wake,
        zone: params.zone.clone(),
        status: if params.paused { ScheduleStatus::Paused } else { ScheduleStatus::Active },
        overlap: params.overlap,
        catch_up: params.catch_up,
        auto_disable_after_run: params.one_shot,
        always: params.always,
        starts_at: now,
        ends_at: params.ends_at,
    }
}
