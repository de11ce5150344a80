//! Setting the clocks that a wrong clock took far ahead, when the clock is right again.

use std::sync::atomic::Ordering;

use dispatch::guarded;
use rules::schedule::{self as rule, BroughtBack, Plan};
use types::{
    ArmMove, Arming, At, Author, Body, Commit, Conflict, Domain, Guard, RecordDraft, Schedule,
    SlotName, Write, limits,
};

use crate::steps::SCHEDULE;
use crate::{Error, Waker};

impl Waker {
    /// Lets every schedule come round from now on that a clock which was far ahead has taken there: otherwise it
    /// would be silent until the date that this clock showed. Nearly always there is none.
    pub(crate) async fn rearm_after_set_back(&self) -> Result<(), Error> {
        let now = self.world.now();
        // By a clock that is wrong itself nothing can be told: it stays to be done until that is right.
        if now < rule::NO_EARLIER || !self.astray.load(Ordering::Relaxed) {
            return Ok(());
        }
        let limit = limits::ROWS_PER_READ_MAX;
        let mut first = Ok(());
        let mut page = Some((now.plus_millis(rule::AHEAD_MAX_MS), None));
        while let Some((than, after)) = page {
            let astray = self.store.armed_later(than, after, limit).await?;
            let last = astray.last().filter(|_| astray.len() >= limit);
            page = last.map(|(at, last)| (*at, Some(last.schedule.clone())));
            for (_, arming) in astray {
                first = first.and(guarded(self.bring_back(arming)).await);
            }
        }
        // Only now: what could not be brought back is tried again by the next look.
        self.astray.store(first.is_err(), Ordering::Relaxed);
        first
    }

    async fn bring_back(&self, arming: Arming) -> Result<(), Error> {
        let (now, zone) = (self.world.now(), self.world.zone());
        let found = self.store.record(Domain::Agent, (&arming.schedule).into()).await?;
        let Some(record) = found.filter(|record| record.deleted_at.is_none()) else {
            return Ok(());
        };
        let Body::AgentSchedule(body) = &record.body else { return Ok(()) };
        // One that cannot be reckoned here keeps its time.
        let back = rule::brought_back(&arming, body, &zone, now).ok().flatten();
        let Some(BroughtBack { schedule, clock: to }) = back else { return Ok(()) };
        let anew = schedule.map(|body| RecordDraft::live(&arming.schedule, body));
        let mut writes: Vec<Write> = anew.map(Write::Record).into_iter().collect();
        writes.push(Write::Arm(ArmMove { from: arming.last_slot, to }));
        // Also if everything is stopped meanwhile: nothing is brought round by it.
        let commit = Commit::new(Domain::Agent, Author::Runtime, now, writes).named(SCHEDULE);
        match self.commit(commit.guarded(Guard::unchanged(&record))).await {
            // Somebody has set it anew meanwhile, by the clock as it is now.
            Err(Error::Conflict(Conflict::Revision { .. } | Conflict::Armed { .. })) => Ok(()),
            other => other.map(drop),
        }
    }

    /// The last slot that was dealt with: the one that its clock stands at, or a later one that is recorded.
    /// When a clock was set back far and has caught up, what had come before does not come again.
    pub(crate) async fn dealt_with(
        &self,
        arming: &Arming,
        body: &Schedule,
        plan: &Plan,
        now: At,
    ) -> Result<Option<SlotName>, Error> {
        let stands = arming.last_slot.clone();
        // A one-shot is over once it has had its slot. What is recorded under the same id is of another nap.
        let newest = plan.newest(now).filter(|_| !body.auto_disable_after_run);
        let Some(newest) = newest else { return Ok(stands) };
        let recorded = self.store.last_ticked(arming.schedule.clone(), newest.slot).await?;
        Ok(stands.max(recorded))
    }
}
