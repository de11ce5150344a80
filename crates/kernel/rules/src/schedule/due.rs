//! The decision at a look: which slots are due, which run, and when to look again.

use types::{At, Schedule, ScheduleId, ScheduleStatus, ScheduleTrigger, SlotName, TriggerSource};

use crate::planted::{self, Fault};

use super::overlap::{Desk, Fired, Span};
use super::plan::{Due, Plan};
use super::status::ScheduleEvent;
use crate::run_key::Cause;

/// Milliseconds after its instant for which a slot still counts as on time: a look comes a little
/// late on a busy machine, and that is not an absence.
pub const GRACE_MILLIS: i64 = 60_000;

/// Missed slots that one look runs one by one: more would be a flood, not a making up.
pub const CATCH_UP_RUNS_MAX: u32 = 100;

/// What a look goes by.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// Which schedule.
    pub id: &'a ScheduleId,
    /// What it says.
    pub schedule: &'a Schedule,
    /// The same, compiled for the zone of today.
    pub plan: &'a Plan,
    /// The last slot that was dealt with.
    pub last_slot: Option<&'a SlotName>,
    /// The instant of the look.
    pub now: At,
    /// Whether an occurrence of it has not ended.
    pub in_flight: bool,
}

/// What a look decided. All of it is kept together, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Firing {
    /// Records to keep and wakes to queue, oldest slot first.
    pub occurrences: Vec<Fired>,
    /// Whether what was in flight before the look counts as skipped by replacement.
    pub replaces_in_flight: bool,
    /// The last slot that is dealt with now.
    pub last_slot: Option<SlotName>,
    /// When to look again; absent if time alone makes nothing due any more.
    pub next_at: Option<At>,
    /// Whether nothing more comes.
    pub expired: bool,
    /// Whether it is a one-shot that has had its slot: it is over by that, whatever comes of it.
    pub spent: bool,
}

impl Firing {
    /// What ends the schedule with this look; absent if it goes on.
    #[must_use]
    pub fn ends_by(&self) -> Option<ScheduleEvent> {
        if self.expired {
            return Some(ScheduleEvent::Expire);
        }
        self.spent.then_some(ScheduleEvent::Disable)
    }
}

/// Decides. A schedule that is not active has nothing due.
#[must_use]
pub fn look(look: &Look<'_>) -> Firing {
    let Look { schedule, plan, last_slot, now, .. } = *look;
    let idle = |next_at, expired| Firing {
        occurrences: vec![],
        replaces_in_flight: false,
        last_slot: last_slot.cloned(),
        next_at,
        expired,
        spent: false,
    };
    // It is over once it has had its slot: while it is active, a slot before was passed over in a pause.
    let one_shot = schedule.auto_disable_after_run;
    let source = match schedule.trigger {
        _ if schedule.status != ScheduleStatus::Active => return idle(None, false),
        // Changes make it run; all that time does to it is to end it.
        ScheduleTrigger::Event { .. } => {
            let over_at = schedule.ends_at.map(|ends_at| ends_at.plus_millis(1));
            let expired = over_at.is_some_and(|over_at| over_at <= now);
            return idle(over_at.filter(|_| !expired), expired);
        }
        ScheduleTrigger::Cron => TriggerSource::CronTick,
        ScheduleTrigger::Interval => TriggerSource::IntervalTick,
    };
    let next = plan.next(last_slot);
    let Some(first) = next.clone().filter(|slot| slot.at <= now) else {
        return idle(next.as_ref().map(|slot| slot.at), next.is_none());
    };
    // A one-shot has one slot, whatever else its pattern would give.
    let newest = if one_shot { first.clone() } else { newest(plan, now, &first) };
    let occurrences = deal(look, source, first, &newest);
    let next = plan.next(Some(&newest.slot)).filter(|_| !one_shot);
    Firing {
        replaces_in_flight: look.in_flight && occurrences.iter().any(Fired::replaces),
        occurrences,
        expired: next.is_none() && !one_shot,
        spent: one_shot,
        next_at: next.map(|slot| slot.at),
        last_slot: Some(newest.slot),
    }
}

fn newest(plan: &Plan, now: At, first: &Due) -> Due {
    plan.newest(now).filter(|newest| newest.slot > first.slot).unwrap_or_else(|| first.clone())
}

/// What becomes of the slots from the first to the newest.
fn deal(look: &Look<'_>, source: TriggerSource, first: Due, newest: &Due) -> Vec<Fired> {
    let mut desk = Desk::new(look.schedule, look.id, look.now, look.in_flight);
    let timer = look.id.as_str();
    let on_time = look.now.millis().saturating_sub(newest.at.millis()) <= GRACE_MILLIS;
    let missed_last = if on_time {
        look.plan.before(&newest.slot).filter(|slot| slot.slot >= first.slot)
    } else {
        Some(newest.clone())
    };
    if let Some(last) = missed_last {
        let runs = made_up_for(look, &first, &last);
        let missed_last = match runs.first() {
            None => Some(last),
            Some(run) => look.plan.before(&run.first).filter(|slot| slot.slot >= first.slot),
        };
        if let Some(last) = missed_last {
            desk.miss(span(look.plan, first.slot, last), source);
        }
        for run in runs {
            let last_slot = run.last.clone();
            let cause = Cause::CatchUp { timer, last_slot: last_slot.as_str() };
            desk.run(run, source, &cause);
        }
    }
    if on_time {
        let cause = Cause::Timer { timer, slot: newest.slot.as_str() };
        desk.run(Span::one(newest.slot.clone(), newest.at), source, &cause);
        if planted::is(Fault::DuplicateOverlapSlot) && look.plan.comes_twice(&newest.slot) {
            let again = SlotName::named(format!("{} again", newest.slot));
            let cause = Cause::Timer { timer, slot: again.as_str() };
            desk.run(Span::one(again.clone(), newest.at), source, &cause);
        }
    }
    desk.into_fired()
}

/// The missed slots that are made up for, as runs, oldest first.
fn made_up_for(look: &Look<'_>, first: &Due, last: &Due) -> Vec<Span> {
    let Look { plan, now, .. } = *look;
    let catch_up = look.schedule.catch_up;
    if !catch_up.allowed {
        return vec![];
    }
    let in_window = match catch_up.window_seconds {
        None => Some(first.clone()),
        Some(seconds) => {
            let millis = i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX);
            plan.next_after_instant(now.plus_millis(-millis).plus_millis(-1))
        }
    };
    let Some(oldest) = in_window.map(|slot| slot.slot.max(first.slot.clone())) else {
        return vec![];
    };
    if oldest > last.slot {
        return vec![];
    }
    if catch_up.runs_max == 1 {
        return vec![span(plan, oldest, last.clone())];
    }
    let mut runs = vec![];
    let mut slot = Some(last.clone());
    for _ in 0..catch_up.runs_max.min(CATCH_UP_RUNS_MAX) {
        let Some(due) = slot.filter(|due| due.slot >= oldest) else { break };
        slot = plan.before(&due.slot);
        runs.push(Span::one(due.slot, due.at));
    }
    runs.reverse();
    runs
}

fn span(plan: &Plan, first: SlotName, last: Due) -> Span {
    let count = plan.count(&first, &last.slot);
    Span { first, last: last.slot, count, due_at: last.at }
}

#[cfg(test)]
#[path = "due_tests.rs"]
mod tests;
