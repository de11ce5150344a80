//! Schedules and looks for the tests next door.

use types::{
    At, CatchUp, Overlap, Recurrence, Schedule, ScheduleAction, ScheduleId, ScheduleStatus,
    ScheduleTrigger, SlotName,
};

use super::{Due, Firing, Look, Plan, look};

pub(super) fn at(text: &str) -> At {
    text.parse().unwrap()
}

pub(super) fn slot(text: &str) -> SlotName {
    SlotName::named(text.to_owned())
}

pub(super) fn id() -> ScheduleId {
    "schedule_a".parse().unwrap()
}

pub(super) fn cron(line: &str, zone: &str, starts_at: &str) -> Schedule {
    let recurrence =
        Recurrence { label: line.to_owned(), cron: Some(line.to_owned()), interval_seconds: None };
    Schedule {
        agent_id: "agent_a".parse().unwrap(),
        recurrence,
        trigger: ScheduleTrigger::Cron,
        action: ScheduleAction::Wake,
        zone: zone.to_owned(),
        status: ScheduleStatus::Active,
        overlap: Overlap::Allow,
        catch_up: CatchUp::NEVER,
        auto_disable_after_run: false,
        always: false,
        starts_at: at(starts_at),
        ends_at: None,
    }
}

pub(super) fn interval(seconds: u64, starts_at: &str) -> Schedule {
    let mut schedule = cron("* * * * *", "Europe/Berlin", starts_at);
    schedule.recurrence.cron = None;
    schedule.recurrence.interval_seconds = Some(seconds);
    schedule.trigger = ScheduleTrigger::Interval;
    schedule
}

pub(super) fn listening(starts_at: &str) -> Schedule {
    let tokens = vec![];
    Schedule { trigger: ScheduleTrigger::Event { tokens }, ..cron("* * * * *", "UTC", starts_at) }
}

pub(super) fn plan(schedule: &Schedule) -> Plan {
    Plan::compile(schedule, "UTC").unwrap()
}

/// The slots of a plan, from the first.
pub(super) fn slots(plan: &Plan) -> impl Iterator<Item = Due> {
    std::iter::successors(plan.next(None), |due| plan.next(Some(&due.slot)))
}

/// Slots as `name @ instant`.
pub(super) fn shown(due: &Due) -> String {
    format!("{} @ {}", due.slot, due.at.to_string().replace(".000Z", "Z"))
}

/// A look with nothing in flight.
pub(super) fn look_at(schedule: &Schedule, last_slot: Option<&str>, now: &str) -> Firing {
    look_with(schedule, last_slot, now, false)
}

pub(super) fn look_with(
    schedule: &Schedule,
    last_slot: Option<&str>,
    now: &str,
    in_flight: bool,
) -> Firing {
    let last_slot = last_slot.map(slot);
    let (id, plan) = (&id(), &plan(schedule));
    look(&Look { id, schedule, plan, last_slot: last_slot.as_ref(), now: at(now), in_flight })
}

/// What became of the slots: `first..last xcount state (reason)`.
pub(super) fn told(firing: &Firing) -> Vec<String> {
    let tell = |fired: &super::Fired| {
        let o = &fired.occurrence;
        assert_eq!(fired.wakes.is_some(), o.run_key.is_some());
        assert_eq!(fired.wakes.is_some(), o.ended_at.is_none());
        let slots = if o.first_slot == o.last_slot {
            o.last_slot.to_string()
        } else {
            format!("{}..{}", o.first_slot, o.last_slot)
        };
        let wakes = fired.wakes.map_or(String::new(), |reason| format!(" ({})", reason.as_str()));
        format!("{slots} x{} {}{wakes}", o.count, o.state.as_str())
    };
    firing.occurrences.iter().map(tell).collect()
}
