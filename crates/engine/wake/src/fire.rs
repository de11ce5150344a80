//! Firing: bringing schedules round whose time has come.

use dispatch::guarded;
use rules::matching::draft_named;
use rules::planted::{self, Fault};
use rules::schedule::{self, End, Fired, Look, Plan, ScheduleEvent};
use rules::wait;
use store::StoreError;
use types::{
    ArmMove, Arming, At, Author, Body, ChangeRecord, Commit, Conflict, Domain, Guard, Lifecycle,
    Occurrence, Outcome, Record, RunDraft, Schedule, ScheduleId, ScheduleStatus, SkipReason,
    WaitFor, WaitState, Write, limits,
};

use crate::steps::FIRE;
use crate::work::UNREADABLE_MS;
use crate::{Error, Waker};

impl Waker {
    /// Brings every schedule round that is due by this time: its occurrences, their runs and its clock in one
    /// commit each, all on their way at once. None is late because others were dealt with before it.
    pub(crate) async fn fire_due(&self, now: At) -> Result<(), Error> {
        loop {
            let due = self.store.due_schedules(now, limits::ROWS_PER_READ_MAX).await?;
            let full = due.len() >= limits::ROWS_PER_READ_MAX;
            let (mut answers, mut first) = (Vec::new(), Ok(()));
            for arming in due {
                // One that cannot be read keeps no other from coming round.
                match guarded(self.firing(arming, now)).await {
                    Ok(commit) => answers.push(self.store.commit(commit)),
                    Err(error) => first = first.and(Err(error)),
                }
            }
            for answer in answers {
                first = first.and(brought_round(answer.await));
            }
            // What failed is still due: another page would begin with it again.
            if !full || first.is_err() {
                return first;
            }
        }
    }

    /// The commit that deals with a schedule whose clock has come.
    async fn firing(&self, arming: Arming, now: At) -> Result<Commit, Error> {
        let found = self.store.record(Domain::Agent, (&arming.schedule).into()).await?;
        let living = found.filter(|record| record.deleted_at.is_none());
        let (writes, guard) = match living {
            Some(Record { id, body: Body::AgentSchedule(body), revision, .. }) => {
                let guard = Guard::Revision { record: id, expected: revision };
                (self.comes_round(arming, body, now).await?, Some(guard))
            }
            // A newer version wrote it: it is kept, and looked at again by whoever can read it.
            Some(_) => (vec![put_off(&arming, now)], None),
            // Its schedule is gone: nothing is due any more.
            None => (vec![stop(&arming)], None),
        };
        let commit = Commit::new(Domain::Agent, Author::Runtime, now, writes).named(FIRE);
        let mut commit = commit.guarded(self.while_not_stopped());
        commit.guards.extend(guard);
        Ok(commit)
    }

    async fn comes_round(
        &self,
        arming: Arming,
        body: Schedule,
        now: At,
    ) -> Result<Vec<Write>, Error> {
        let id = arming.schedule.clone();
        if body.status != ScheduleStatus::Active {
            return Ok(vec![stop(&arming)]);
        }
        if self.owner_is_over(&body).await? {
            return self.over(&arming, body).await;
        }
        let zone = self.world.zone();
        let Ok(plan) = Plan::compile(&body, &zone) else {
            // A zone that this version does not know: one such schedule stops no other.
            return Ok(vec![put_off(&arming, now)]);
        };
        let in_flight = self.store.in_flight(id.clone()).await?;
        let last_slot = self.dealt_with(&arming, &body, &plan, now).await?;
        let look = schedule::look(&Look {
            id: &id,
            schedule: &body,
            plan: &plan,
            last_slot: last_slot.as_ref(),
            now,
            in_flight: !in_flight.is_empty(),
        });
        let mut writes = Vec::new();
        if look.replaces_in_flight {
            writes.extend(in_flight.iter().map(replaced));
        }
        writes.extend(fired(&body, &look.occurrences));
        let mut waits = self.waits_on_schedule(&id).await?;
        if !look.occurrences.is_empty() {
            writes.extend(wait::all_end(std::mem::take(&mut waits), &WaitState::Met));
        }
        let ends_by = look.ends_by();
        let next_at = look.next_at.filter(|_| !planted::is(Fault::TimerNotRearmed));
        let local_zone = (body.zone == schedule::LOCAL).then_some(zone);
        let (from, last_slot) = (arming.last_slot.clone(), look.last_slot);
        let to = Arming { last_slot, next_at, local_zone, ..arming };
        let clock = ArmMove { from, to };
        match ends_by {
            None => writes.push(Write::Arm(clock)),
            Some(event) => {
                let (clock, why) = (Some(clock), "the schedule has expired");
                writes.extend(schedule::ends(&id, body, End { event, clock, waits, why })?);
            }
        }
        Ok(writes)
    }

    /// Ends a schedule that cannot come round any more, and wakes who waits for it.
    async fn over(&self, arming: &Arming, body: Schedule) -> Result<Vec<Write>, Error> {
        let waits = self.waits_on_schedule(&arming.schedule).await?;
        let (event, why) = (ScheduleEvent::Disable, "the schedule is over");
        let end = End { event, clock: Some(ArmMove::stop(arming.clone())), waits, why };
        Ok(schedule::ends(&arming.schedule, body, end)?)
    }

    pub(crate) async fn waits_on_schedule(&self, id: &ScheduleId) -> Result<Vec<Record>, Error> {
        let source = WaitFor::Timer { schedule: id.to_string() }.source();
        Ok(self.store.waits_on(source, limits::ROWS_PER_READ_MAX).await?)
    }

    async fn owner_is_over(&self, body: &Schedule) -> Result<bool, Error> {
        let owner = self.store.record(Domain::Agent, (&body.agent_id).into()).await?;
        Ok(match owner.map(|record| record.body) {
            Some(Body::Agent(agent)) => matches!(agent.lifecycle, Lifecycle::Destroyed { .. }),
            other => other.is_none(),
        })
    }

    /// What a change makes of a schedule that goes by changes, where `before` are the occurrences that
    /// earlier changes of the same page made. One that is not to be had (paused, over, gone, made
    /// since) makes nothing of it.
    pub(crate) async fn fire_event(
        &self,
        id: &ScheduleId,
        change: &ChangeRecord,
        before: &mut Vec<Occurrence>,
    ) -> Result<Vec<Write>, Error> {
        let (body, last) = match self.schedule_get(id.as_str()).await {
            Ok(view) => (view.schedule, view.last),
            Err(Error::UnknownSchedule { .. }) => return Ok(vec![]),
            Err(error) => return Err(error),
        };
        let fired_before = last.is_some() || !before.is_empty();
        let begun = schedule::has_begun(&body, change.at, self.world.now());
        if !begun || fired_before && body.auto_disable_after_run {
            return Ok(vec![]);
        }
        let mut in_flight = self.store.in_flight(id.clone()).await?;
        in_flight.append(&mut before.clone());
        let (key, now) = (change.logical_change_key, self.world.now());
        let Ok(one) = schedule::event(&body, id, key, now, !in_flight.is_empty()) else {
            return Ok(vec![]);
        };
        // Matched again after a crash, it must not take its own place.
        in_flight.retain(|other| other.last_slot != one.occurrence.last_slot);
        if one.wakes.is_some() {
            before.push(one.occurrence.clone());
        }
        let mut writes = fired_once(&body, one, &in_flight);
        writes.extend(self.met_by_schedule(id).await?);
        writes.extend(self.over_if_one_shot(id, &body).await?);
        Ok(writes)
    }

    /// The end of a one-shot that was brought round by no clock: it is over, also while what it woke is
    /// under way.
    pub(crate) async fn over_if_one_shot(
        &self,
        id: &ScheduleId,
        body: &Schedule,
    ) -> Result<Vec<Write>, Error> {
        if !body.auto_disable_after_run {
            return Ok(vec![]);
        }
        let clock = self.store.arming(id.clone()).await?.map(ArmMove::stop);
        // Those who waited for it have been told that it came round.
        let (event, waits, why) = (ScheduleEvent::Disable, vec![], "the schedule is over");
        Ok(schedule::ends(id, body.clone(), End { event, clock, waits, why })?)
    }

    /// The ends of all waits for a schedule that has come round.
    pub(crate) async fn met_by_schedule(&self, id: &ScheduleId) -> Result<Vec<Write>, Error> {
        Ok(wait::all_end(self.waits_on_schedule(id).await?, &WaitState::Met))
    }
}

fn brought_round(answer: Result<Outcome, StoreError>) -> Result<(), Error> {
    match answer? {
        // Somebody else has brought it round, or changed it: the next look sees.
        Outcome::Conflict(Conflict::Armed { .. } | Conflict::Revision { .. })
        | Outcome::Applied(_)
        | Outcome::Idempotent(_) => Ok(()),
        Outcome::Conflict(conflict) => Err(conflict.into()),
    }
}

/// The writes of one occurrence that no clock brought about.
pub(crate) fn fired_once(
    body: &Schedule,
    one: Fired,
    in_flight: &[types::Occurrence],
) -> Vec<Write> {
    let mut writes = Vec::new();
    if one.replaces() {
        writes.extend(in_flight.iter().map(replaced));
    }
    writes.extend(fired(body, &[one]));
    writes
}

/// The records of occurrences, and the runs of those that run.
pub(crate) fn fired(body: &Schedule, occurrences: &[Fired]) -> Vec<Write> {
    let mut writes = Vec::new();
    for Fired { occurrence, wakes } in occurrences {
        writes.push(Write::Occur(occurrence.clone()));
        if let (Some(reason), Some(run_key)) = (wakes, occurrence.run_key) {
            let schedule = Some(occurrence.schedule.to_string());
            let wake = draft_named(&body.agent_id, run_key, *reason, schedule);
            writes.push(Write::QueueRun(RunDraft { insist: body.always, ..wake }));
        }
    }
    writes
}

fn replaced(old: &types::Occurrence) -> Write {
    let why = SkipReason::ConcurrencyReplace;
    Write::SkipOccurrence { schedule: old.schedule.clone(), slot: old.last_slot.clone(), why }
}

/// Lets a schedule that this version cannot read be looked at again later, and touches nothing else.
fn put_off(arming: &Arming, now: At) -> Write {
    let next_at = Some(now.plus_millis(UNREADABLE_MS));
    let (from, to) = (arming.last_slot.clone(), Arming { next_at, ..arming.clone() });
    Write::Arm(ArmMove { from, to })
}

fn stop(arming: &Arming) -> Write {
    Write::Arm(ArmMove::stop(arming.clone()))
}
