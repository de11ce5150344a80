//! What becomes of slots that are due: who runs, who is skipped, who gives way.

use types::{
    At, ConcurrencyDecision, Occurrence, OccurrenceState, Overlap, Schedule, ScheduleId,
    SkipReason, SlotName, TriggerSource, WakeReason,
};

use crate::run_key::{self, Cause};

/// A record to keep, and the wake to queue with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fired {
    /// What to keep.
    pub occurrence: Occurrence,
    /// Why its agent wakes, under the record's run key; absent if it does not.
    pub wakes: Option<WakeReason>,
}

impl Fired {
    /// Whether it takes the place of what was in flight, which then counts as skipped by
    /// replacement.
    #[must_use]
    pub fn replaces(&self) -> bool {
        self.occurrence.decision == Some(ConcurrencyDecision::ReplaceExisting)
    }
}

/// Consecutive slots that share one record.
#[derive(Debug, Clone)]
pub(super) struct Span {
    pub(super) first: SlotName,
    pub(super) last: SlotName,
    pub(super) count: u64,
    pub(super) due_at: At,
}

impl Span {
    pub(super) fn one(slot: SlotName, due_at: At) -> Span {
        Span { first: slot.clone(), last: slot, count: 1, due_at }
    }
}

/// Deals with the slots of one schedule in their order: each may be in flight when the next comes.
pub(super) struct Desk<'a> {
    id: &'a ScheduleId,
    schedule: &'a Schedule,
    now: At,
    in_flight: bool,
    fired: Vec<Fired>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(
        schedule: &'a Schedule,
        id: &'a ScheduleId,
        now: At,
        in_flight: bool,
    ) -> Desk<'a> {
        Desk { id, schedule, now, in_flight, fired: Vec::new() }
    }

    /// Everything that was dealt with, in order.
    pub(super) fn into_fired(self) -> Vec<Fired> {
        self.fired
    }

    /// The one thing that was dealt with.
    pub(super) fn into_only(mut self) -> Fired {
        self.fired.pop().expect("a desk keeps what it was given")
    }

    /// Records slots that nobody makes up for.
    pub(super) fn miss(&mut self, span: Span, source: TriggerSource) {
        let occurrence = self.occurrence(span, source, OccurrenceState::Missed);
        self.fired.push(Fired { occurrence, wakes: None });
    }

    /// Runs slots, unless the overlap policy says no.
    pub(super) fn run(&mut self, span: Span, source: TriggerSource, cause: &Cause<'_>) {
        let decision = self.in_flight.then_some(match self.schedule.overlap {
            Overlap::Allow => ConcurrencyDecision::Allow,
            Overlap::Forbid => ConcurrencyDecision::ForbidSkipped,
            Overlap::Replace => ConcurrencyDecision::ReplaceExisting,
        });
        let mut fired = if decision == Some(ConcurrencyDecision::ForbidSkipped) {
            let state = OccurrenceState::Skipped(SkipReason::ConcurrencyForbid);
            Fired { occurrence: self.occurrence(span, source, state), wakes: None }
        } else {
            let mut occurrence = self.occurrence(span, source, OccurrenceState::InFlight);
            occurrence.run_key = Some(run_key::derive(&self.schedule.agent_id, cause));
            Fired { occurrence, wakes: Some(cause.reason()) }
        };
        fired.occurrence.decision = decision;
        if fired.replaces() {
            self.give_way();
        }
        self.fired.push(fired);
        self.in_flight = true;
    }

    /// What was about to start in this look does not start at all: no run is queued for it.
    fn give_way(&mut self) {
        for Fired { occurrence, wakes } in &mut self.fired {
            if occurrence.state == OccurrenceState::InFlight {
                occurrence.state = OccurrenceState::Skipped(SkipReason::ConcurrencyReplace);
                occurrence.run_key = None;
                occurrence.ended_at = Some(self.now);
                *wakes = None;
            }
        }
    }

    fn occurrence(&self, span: Span, source: TriggerSource, state: OccurrenceState) -> Occurrence {
        let Span { first, last, count, due_at } = span;
        let over = state != OccurrenceState::InFlight;
        Occurrence {
            schedule: self.id.clone(),
            first_slot: first,
            last_slot: last,
            count,
            due_at,
            source,
            decision: None,
            run_key: None,
            state,
            started_at: self.now,
            ended_at: over.then_some(self.now),
        }
    }
}
