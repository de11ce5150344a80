//! Schedules: creating, changing, asking for one now, and making up for a stretch of the past.

use std::cmp::Reverse;
use std::sync::PoisonError;

use rules::hash;
use rules::naming::{Naming, naming};
use rules::run_key;
use rules::schedule::{self as rule, End, Plan, ScheduleEvent, Stretch};
use serde_json::json;
use store::{Ending, Listing, StoreError};
use types::{
    AgentId, ArmMove, Arming, At, AuditDraft, Author, Body, BodyType, CatchUp, Commit, Conflict,
    Domain, Guard, Invalid, Lifecycle, Occurrence, OperationDraft, Outcome, Overlap, Record,
    RecordDraft, Recurrence, Schedule, ScheduleAction, ScheduleId, ScheduleStatus, ScheduleTrigger,
    Subscription, Write, limits,
};

use crate::fire::{fired, fired_once};
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

/// A schedule as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleView {
    /// Its id.
    pub id: ScheduleId,
    /// What it says.
    pub schedule: Schedule,
    /// How often it was written.
    pub revision: u64,
    /// When it comes round next; never, if no time is named.
    pub next_at: Option<At>,
    /// The newest of what became of its slots.
    pub last: Option<Occurrence>,
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
        match self.store.commit(commit).await? {
            Outcome::Applied(_) => self.schedule_get(id.as_str()).await,
            Outcome::Idempotent(first) => {
                self.schedule_get(first.result["id"].as_str().unwrap_or_default()).await
            }
            Outcome::Conflict(conflict) => Err(conflict.into()),
        }
    }

    /// What an earlier try of the same request has made.
    async fn made_before(&self, request: &str) -> Result<Option<ScheduleView>, Error> {
        let id = rules::operation::id_of_request("create_schedule", request);
        let Some(done) = self.store.operation(Domain::Agent, id).await? else { return Ok(None) };
        Ok(Some(self.schedule_get(done.subject.as_str()).await?))
    }

    /// Stops a schedule until it is resumed.
    ///
    /// # Errors
    /// If it does not come round now.
    pub async fn schedule_pause(&self, id: &str) -> Result<ScheduleView, Error> {
        self.schedule_step(id, ScheduleEvent::Pause, "schedule.pause").await
    }

    /// Lets a schedule come round again; what it would have had meanwhile is not made up for.
    ///
    /// # Errors
    /// If it is not paused.
    pub async fn schedule_resume(&self, id: &str) -> Result<ScheduleView, Error> {
        self.schedule_step(id, ScheduleEvent::Resume, "schedule.resume").await
    }

    /// Ends a schedule for good, and wakes who waits for it.
    ///
    /// # Errors
    /// If it is over already.
    pub async fn schedule_disable(&self, id: &str) -> Result<ScheduleView, Error> {
        let view = self.schedule_get(id).await?;
        let clock = self.store.arming(view.id.clone()).await?.map(ArmMove::stop);
        let waits = self.waits_on_schedule(&view.id).await?;
        let (event, why) = (ScheduleEvent::Disable, "the schedule was disabled");
        let writes = rule::ends(&view.id, view.schedule, End { event, clock, waits, why })?;
        self.schedule_write(&view.id, view.revision, writes, "schedule.disable").await
    }

    async fn schedule_step(
        &self,
        id: &str,
        event: ScheduleEvent,
        action: &'static str,
    ) -> Result<ScheduleView, Error> {
        let view = self.schedule_get(id).await?;
        let status = rule::step(view.schedule.status, event)?;
        let body = Schedule { status, ..view.schedule };
        let mut writes = vec![Write::Record(RecordDraft::live(&view.id, body.clone()))];
        writes.extend(self.clock_after(&view.id, &body).await?);
        self.schedule_write(&view.id, view.revision, writes, action).await
    }

    /// The clock of a schedule whose status has just become this.
    async fn clock_after(&self, id: &ScheduleId, body: &Schedule) -> Result<Option<Write>, Error> {
        let Some(arming) = self.store.arming(id.clone()).await? else { return Ok(None) };
        if body.status != ScheduleStatus::Active {
            return Ok(Some(Write::Arm(ArmMove::stop(arming))));
        }
        let zone = self.world.zone();
        let from = arming.last_slot;
        let plan = Plan::compile(body, &zone)?;
        let last_slot = rule::passed(&plan, from.clone(), self.world.now());
        let to = rule::armed(id, body, last_slot, &zone)?;
        Ok(Some(Write::Arm(ArmMove { from, to })))
    }

    /// Brings a schedule round now, under this request; its slots stay as they are.
    ///
    /// # Errors
    /// If it is over.
    pub async fn schedule_trigger(&self, id: &str, request: &str) -> Result<Occurrence, Error> {
        Invalid::unless_request(request).map_err(StoreError::from)?;
        let view = self.schedule_get(id).await?;
        let known = self.store.occurrences(view.id.clone(), limits::ROWS_PER_READ_MAX).await?;
        let asked = rule::manual_slot(request);
        if let Some(first) = known.into_iter().find(|one| one.last_slot == asked) {
            return Ok(first);
        }
        self.refuse_unless_awake(&view.schedule.agent_id).await?;
        let in_flight = self.store.in_flight(view.id.clone()).await?;
        let now = self.world.now();
        let one = rule::manual(&view.schedule, &view.id, request, now, !in_flight.is_empty())?;
        let occurrence = one.occurrence.clone();
        let mut writes = fired_once(&view.schedule, one, &in_flight);
        writes.extend(self.met_by_schedule(&view.id).await?);
        writes.extend(self.over_if_one_shot(&view.id, &view.schedule).await?);
        self.schedule_queue(&view, writes, "schedule.trigger").await?;
        Ok(occurrence)
    }

    /// Runs the slots of a stretch of the past that no record speaks of; says how many.
    ///
    /// # Errors
    /// If there are too many of them, the stretch ends before it begins, or the schedule is over.
    pub async fn schedule_backfill(&self, id: &str, from: At, to: At) -> Result<u64, Error> {
        rule::refuse_backwards(from, to)?;
        let view = self.schedule_get(id).await?;
        rule::refuse_over(&view.schedule)?;
        self.refuse_unless_awake(&view.schedule.agent_id).await?;
        let plan = Plan::compile(&view.schedule, &self.world.zone())?;
        let known = self.store.occurrences(view.id.clone(), limits::ROWS_PER_READ_MAX).await?;
        let open = rule::backfill(&Stretch {
            id: &view.id,
            schedule: &view.schedule,
            plan: &plan,
            from,
            to,
            now: self.world.now(),
            known: &known,
            more: known.len() >= limits::ROWS_PER_READ_MAX,
        })?;
        let writes = fired(&view.schedule, &open);
        self.schedule_queue(&view, writes, "schedule.backfill").await?;
        Ok(open.len() as u64)
    }

    /// A schedule by its id or the last characters of it.
    ///
    /// # Errors
    /// If there is none, or more than one is meant.
    pub async fn schedule_get(&self, id: &str) -> Result<ScheduleView, Error> {
        let unknown = || Error::UnknownSchedule { id: id.to_owned() };
        let named = match naming("schedule", id).ok_or_else(unknown)? {
            Naming::Whole(id) => id,
            Naming::Ending(ending) => {
                match Ending::find(&*self.store, Domain::Agent, "schedule", ending.clone()).await? {
                    Ending::Of(id) => id,
                    Ending::Nobodys => return Err(unknown()),
                    Ending::OfSeveral => return Err(Error::AmbiguousSchedule { ending }),
                }
            }
        };
        let schedule: ScheduleId = named.as_str().parse().map_err(|_| unknown())?;
        let record = self.store.record(Domain::Agent, named).await?;
        let record = record.filter(|record| record.deleted_at.is_none()).ok_or_else(unknown)?;
        let Body::AgentSchedule(body) = record.body else { return Err(unknown()) };
        let arming = self.store.arming(schedule.clone()).await?;
        let last = self.store.occurrences(schedule.clone(), 1).await?.pop();
        let next_at = arming.and_then(|arming| arming.next_at);
        Ok(ScheduleView { id: schedule, schedule: body, revision: record.revision, next_at, last })
    }

    /// An agent's schedules, newest first. Those that are over hide none that is not.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn schedule_list(&self, agent: &AgentId) -> Result<Vec<ScheduleView>, Error> {
        use ScheduleStatus::{Active, Disabled, Expired, Paused};
        let mut found = Vec::new();
        for status in [Active, Paused, Expired, Disabled] {
            found.extend(self.schedules_that_are(status, agent).await?);
        }
        found.sort_by_key(|record| Reverse(record.created_at));
        let mut views = Vec::new();
        for record in found {
            views.push(self.schedule_get(record.id.as_str()).await?);
        }
        Ok(views)
    }

    /// The newest of an agent's schedules of one status.
    async fn schedules_that_are(
        &self,
        status: ScheduleStatus,
        agent: &AgentId,
    ) -> Result<Vec<Record>, Error> {
        let listing = Listing {
            subtype: Some(status.as_str().to_owned()),
            ..Listing::of(agent.as_str(), BodyType::AgentSchedule, limits::SCHEDULES_MAX)
        };
        Ok(self.store.records(Domain::Agent, listing).await?)
    }

    /// Reckons anew when the host's own wall-clock schedules come round, if the host has moved: the
    /// hour on the wall is kept, its instant is not.
    pub(crate) async fn rearm_after_travel(&self) -> Result<(), Error> {
        let zone = self.world.zone();
        if *self.reckoned_in.lock().unwrap_or_else(PoisonError::into_inner) == zone {
            return Ok(());
        }
        loop {
            let limit = limits::ROWS_PER_READ_MAX;
            let elsewhere = self.store.armed_elsewhere(zone.clone(), limit).await?;
            if elsewhere.is_empty() {
                *self.reckoned_in.lock().unwrap_or_else(PoisonError::into_inner) = zone;
                return Ok(());
            }
            for arming in elsewhere {
                let record = self.store.record(Domain::Agent, (&arming.schedule).into()).await?;
                let from = arming.last_slot.clone();
                let unchanged = record.as_ref().map(Guard::unchanged);
                let to = match record.map(|record| record.body) {
                    Some(Body::AgentSchedule(body)) if arming.next_at.is_some() => {
                        rule::armed(&arming.schedule, &body, from.clone(), &zone).ok()
                    }
                    _ => None,
                };
                // One that cannot be reckoned here keeps its time and is not asked again.
                let to = to.unwrap_or(Arming { local_zone: None, ..arming });
                let writes = vec![Write::Arm(ArmMove { from, to })];
                let guards = unchanged.into_iter().collect();
                match self.write(SCHEDULE, writes, guards).await {
                    Err(Error::Conflict(Conflict::Revision { .. } | Conflict::Armed { .. })) => {
                        return Ok(());
                    }
                    other => other?,
                }
            }
        }
    }

    /// The writes by which an agent wakes itself once, at a time. A second nap takes the place of
    /// the first.
    pub(crate) async fn nap(&self, agent: &AgentId, at: At) -> Result<Vec<Write>, Error> {
        let (id, now) = (nap_id(agent), self.world.now());
        // At its time or after it, never before.
        let millis = u64::try_from(at.millis() - now.millis()).unwrap_or(0);
        let seconds = millis.div_ceil(1_000).max(1);
        let (label, cron) = ("nap".to_owned(), None);
        let recurrence = Recurrence { label, cron, interval_seconds: Some(seconds) };
        let params = CreateSchedule {
            agent: agent.clone(),
            recurrence,
            trigger: ScheduleTrigger::Interval,
            zone: "UTC".to_owned(),
            overlap: Overlap::Allow,
            catch_up: CatchUp::ONCE,
            one_shot: true,
            always: true,
            ends_at: None,
            paused: false,
            request: None,
        };
        let mut body = schedule(&params, now);
        let from = self.store.arming(id.clone()).await?.and_then(|arming| arming.last_slot);
        // After a clock was set back, a second may come that a nap has had before; a slot that is
        // known would wake nobody.
        let known = self.store.occurrences(id.clone(), limits::ROWS_PER_READ_MAX).await?;
        let taken = |body: &Schedule| -> Result<bool, Error> {
            let slot = Plan::compile(body, "UTC")?.next(None).map(|due| due.slot);
            Ok(known.iter().any(|one| Some(&one.last_slot) == slot.as_ref()))
        };
        while taken(&body)? {
            body.recurrence.interval_seconds = body.recurrence.interval_seconds.map(|s| s + 1);
        }
        let to = rule::armed(&id, &body, None, "UTC")?;
        Ok(vec![Write::Record(RecordDraft::live(id, body)), Write::Arm(ArmMove { from, to })])
    }

    async fn refuse_agent(&self, agent: &AgentId) -> Result<(), Error> {
        self.life_of(agent).await?;
        let max = limits::SCHEDULES_MAX;
        let there = self.schedules_that_are(ScheduleStatus::Active, agent).await?.len();
        if there >= max { Err(Error::TooManySchedules { max }) } else { Ok(()) }
    }

    /// What is asked for now is asked of somebody who may run.
    async fn refuse_unless_awake(&self, agent: &AgentId) -> Result<(), Error> {
        match self.life_of(agent).await? {
            Lifecycle::Dormant { .. } => Err(Error::Dormant { agent: agent.clone() }),
            _ => Ok(()),
        }
    }

    /// How an agent lives that is there and not over.
    async fn life_of(&self, agent: &AgentId) -> Result<Lifecycle, Error> {
        let record = self.store.record(Domain::Agent, agent.into()).await?;
        match record.map(|record| record.body) {
            Some(Body::Agent(body)) => match body.lifecycle {
                Lifecycle::Destroyed { .. } => Err(Error::Destroyed { agent: agent.clone() }),
                living => Ok(living),
            },
            _ => Err(Error::UnknownAgent { id: agent.to_string() }),
        }
    }

    /// Writes what queues runs, unless everything is stopped.
    async fn schedule_queue(
        &self,
        view: &ScheduleView,
        writes: Vec<Write>,
        action: &'static str,
    ) -> Result<(), Error> {
        let commit = self.schedule_commit(&view.id, view.revision, writes, action);
        match self.commit(commit.guarded(self.while_not_stopped())).await {
            Err(error) if error.is_stopped() => Err(Error::KillSwitch),
            other => other.map(drop),
        }
    }

    async fn schedule_write(
        &self,
        id: &ScheduleId,
        revision: u64,
        writes: Vec<Write>,
        action: &'static str,
    ) -> Result<ScheduleView, Error> {
        self.commit(self.schedule_commit(id, revision, writes, action)).await?;
        self.schedule_get(id.as_str()).await
    }

    fn schedule_commit(
        &self,
        id: &ScheduleId,
        revision: u64,
        writes: Vec<Write>,
        action: &'static str,
    ) -> Commit {
        let commit = Commit {
            audit: vec![audit(action, id, "")],
            ..Commit::new(Domain::Agent, Author::Operator, self.world.now(), writes)
        };
        commit.named(SCHEDULE).guarded(Guard::Revision { record: id.into(), expected: revision })
    }
}

fn schedule(params: &CreateSchedule, now: At) -> Schedule {
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

/// The id of the clock by which an agent wakes itself once.
fn nap_id(agent: &AgentId) -> ScheduleId {
    ScheduleId::from_digest(&hash::fields(["schedule", agent.as_str(), "nap", ""]))
}

fn audit(action: &'static str, id: &ScheduleId, detail: &str) -> AuditDraft {
    AuditDraft { action, subject: id.to_string(), detail: detail.to_owned() }
}
