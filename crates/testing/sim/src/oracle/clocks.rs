//! No schedule is silent for longer than its rule says, wherever the clock was before.

use store::{ReadDue, wait};
use types::{At, Schedule, ScheduleStatus, ScheduleTrigger};
use world::World;

use super::civil;
use crate::sim::Sim;

/// A day: slots so far ahead may have been dealt with already by a clock that was ahead, and do not come again.
const DAY_MS: i64 = 86_400_000;

/// Longer than the simulator's cron lines are silent.
const WEEK_MS: i64 = 8 * DAY_MS;

/// Judges at a moment when nothing is left to do.
pub(crate) fn settled(sim: &Sim) {
    let (store, now, here) = (sim.services().store, sim.shared.now(), sim.shared.world.zone());
    let mut book = sim.shared.book();
    let mut found = Vec::new();
    for (id, known) in &book.schedules {
        if known.body.status != ScheduleStatus::Active {
            continue;
        }
        let Some(latest) = latest(&known.body, now, &here) else { continue };
        let clock = wait(store.arming(id.clone())).expect("clocks can be read");
        match clock.and_then(|clock| clock.next_at) {
            Some(next_at) if next_at <= latest => {}
            Some(next_at) => found.push(format!("{id} is silent until {next_at}, not {latest}")),
            None => found.push(format!("{id} never comes round")),
        }
    }
    for what in found {
        book.violate("no schedule falls silent", what);
    }
}

/// The latest time at which a schedule comes round next; absent if nothing says so.
fn latest(body: &Schedule, now: At, here: &str) -> Option<At> {
    let after = now.plus_millis(DAY_MS);
    let zone = if body.zone == "local" { here.to_owned() } else { body.zone.clone() };
    let from_here = Schedule { zone, starts_at: after, ends_at: body.ends_at, ..body.clone() };
    let until = match (&body.trigger, body.recurrence.interval_seconds) {
        (ScheduleTrigger::Interval, Some(seconds)) => {
            after.plus_millis(i64::try_from(seconds).ok()? * 1_000)
        }
        (ScheduleTrigger::Cron, _) => after.plus_millis(WEEK_MS),
        _ => return None,
    };
    let first = civil::slots(&from_here, until).into_iter().next();
    first.map(|(_, at)| at)
}
