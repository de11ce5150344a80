//! Setting the clocks that a wrong clock took far ahead, when the clock is right again.

use rules::schedule::{self as rule, Plan};
use types::{
    ArmMove, Arming, At, Author, Body, Commit, Conflict, Domain, Guard, Schedule, SlotName, Write,
    limits,
};

use crate::steps::SCHEDULE;
use crate::{Error, Waker};

impl Waker {
    /// Lets every schedule come round again from now on whose slots a clock that was far ahead has dealt with:
    /// otherwise it would be silent until the date that this clock showed.
    pub(crate) async fn rearm_after_set_back(&self) -> Result<(), Error> {
        let limit = limits::ROWS_PER_READ_MAX;
        // What was dealt with further ahead than this comes round further ahead as well.
        let mut page = (self.world.now().plus_millis(rule::AHEAD_MAX_MS), None);
        loop {
            let (than, after) = page;
            let later = self.store.armed_later(than, after, limit).await?;
            let last = later.last().filter(|_| later.len() >= limit);
            let next = last.and_then(|last| Some((last.next_at?, Some(last.schedule.clone()))));
            for arming in later {
                self.bring_back(arming).await?;
            }
            let Some(next) = next else { return Ok(()) };
            page = next;
        }
    }

    async fn bring_back(&self, arming: Arming) -> Result<(), Error> {
        let (now, zone) = (self.world.now(), self.world.zone());
        let found = self.store.record(Domain::Agent, (&arming.schedule).into()).await?;
        let Some(record) = found.filter(|record| record.deleted_at.is_none()) else {
            return Ok(());
        };
        let Body::AgentSchedule(body) = &record.body else { return Ok(()) };
        let from = arming.last_slot;
        // One that cannot be reckoned here keeps its time.
        let back = rule::brought_back(&arming.schedule, body, from.clone(), &zone, now);
        let Some(to) = back.ok().flatten() else { return Ok(()) };
        // Also while everything is stopped: nothing is brought round by it.
        let writes = vec![Write::Arm(ArmMove { from, to })];
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
