//! Every slot of every schedule is accounted for, once.

use std::collections::BTreeMap;

use store::{ReadDue, wait};
use types::{At, Occurrence, ScheduleId, SlotName, TriggerSource};

use super::civil::{self, Slot};
use crate::book::ScheduleBook;
use crate::sim::Sim;

/// Occurrences of one schedule that are read; more than a seed has.
const OCCURRENCES_MAX: usize = 100_000;

/// Judges.
pub(crate) fn judge(sim: &Sim, settled_at: At) {
    let store = sim.services().store;
    let furthest = sim.shared.furthest();
    let mut book = sim.shared.book();
    let mut found = Vec::new();
    for (id, known) in &book.schedules {
        let read = wait(store.occurrences(id.clone(), OCCURRENCES_MAX));
        let mut all = read.expect("occurrences can be read");
        all.reverse();
        let flying = wait(store.in_flight(id.clone())).expect("occurrences can be read");
        for one in flying {
            found.push(format!("{} of {id} is still in flight", one.last_slot));
        }
        let timed = |one: &Occurrence| {
            matches!(one.source, TriggerSource::CronTick | TriggerSource::IntervalTick)
        };
        let by_time: Vec<Occurrence> = all.into_iter().filter(timed).collect();
        found.extend(in_order(id, known, &by_time));
        if !known.body.auto_disable_after_run {
            found.extend(none_twice(id, &by_time));
        }
        let owner_over = book.agents.get(&known.body.agent_id).is_none_or(|owner| owner.destroyed);
        let whole = !known.ended_early && !owner_over;
        let fixed = known.body.zone != "local" && !known.paused_once;
        if fixed && !known.body.auto_disable_after_run {
            let up_to = whole.then_some(settled_at);
            let slots = civil::slots(&known.body, furthest);
            found.extend(match (known.brought_back.is_empty(), known.begun_anew) {
                (true, _) => accounted_for(id, &slots, &by_time, up_to),
                (false, false) => none_left_out(id, &slots, &by_time, up_to),
                // It has come round where its clock was wrong, at times that its rule does not give any more.
                (false, true) => vec![],
            });
        }
    }
    for what in found {
        book.violate("every slot once", what);
    }
}

/// No slot is covered twice, also where the host has travelled; except those over which a clock was brought
/// back that had been far ahead.
fn in_order(id: &ScheduleId, known: &ScheduleBook, all: &[Occurrence]) -> Vec<String> {
    let comes_again = |slot: &SlotName| {
        let back =
            |(from, to): &(SlotName, Option<SlotName>)| to.as_ref() < Some(slot) && slot <= from;
        known.brought_back.iter().any(back)
    };
    let mut found = Vec::new();
    for pair in all.windows(2) {
        if pair[1].first_slot <= pair[0].last_slot && !comes_again(&pair[1].first_slot) {
            let (one, other) = (&pair[0].last_slot, &pair[1].first_slot);
            found.push(format!("{other} of {id} comes after {one}"));
        }
    }
    found
}

/// What is recorded does not come again, also where a clock was brought back and has caught up since.
fn none_twice(id: &ScheduleId, all: &[Occurrence]) -> Vec<String> {
    let mut found = Vec::new();
    for (place, before) in all.iter().enumerate() {
        let slot = &before.last_slot;
        let again = |one: &&Occurrence| one.first_slot <= *slot && *slot <= one.last_slot;
        if let Some(one) = all[place + 1..].iter().find(again) {
            found.push(format!("{slot} of {id} comes again by {}", one.last_slot));
        }
    }
    found
}

/// The occurrences are the slots from the first on, without a gap.
fn accounted_for(
    id: &ScheduleId,
    slots: &[Slot],
    all: &[Occurrence],
    up_to: Option<At>,
) -> Vec<String> {
    let places: BTreeMap<&str, usize> =
        slots.iter().enumerate().map(|(place, (name, _))| (name.as_str(), place)).collect();
    let mut found = Vec::new();
    let mut next = 0;
    for one in all {
        let (first, last) = (one.first_slot.as_str(), one.last_slot.as_str());
        let (Some(from), Some(to)) = (places.get(first), places.get(last)) else {
            found.push(format!("{id} has no slots {first} to {last}"));
            continue;
        };
        if *from != next {
            let missing = slots.get(next).map_or("nothing", |(name, _)| name.as_str());
            found.push(format!("{first} of {id} came where {missing} was due"));
        }
        let count = u64::try_from(to + 1 - from.min(to)).unwrap_or(0);
        if one.count != count {
            found.push(format!("{first} to {last} of {id} are {count}, not {}", one.count));
        }
        next = to + 1;
    }
    let left = slots.get(next).filter(|(_, at)| up_to.is_some_and(|up_to| *at <= up_to));
    if let Some((name, _)) = left {
        found.push(format!("{name} of {id} is not accounted for"));
    }
    found
}

/// Every slot that has come is in some occurrence, however often.
fn none_left_out(
    id: &ScheduleId,
    slots: &[Slot],
    all: &[Occurrence],
    up_to: Option<At>,
) -> Vec<String> {
    let in_some = |name: &str| {
        all.iter().any(|one| one.first_slot.as_str() <= name && name <= one.last_slot.as_str())
    };
    let has_come = |at: At| up_to.is_some_and(|up_to| at <= up_to);
    let left = slots.iter().find(|(name, at)| has_come(*at) && !in_some(name));
    left.map(|(name, _)| format!("{name} of {id} is not accounted for")).into_iter().collect()
}
