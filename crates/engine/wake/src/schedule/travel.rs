//! Setting the clocks that go by the host's own zone, when the host has moved.

use std::sync::PoisonError;

use dispatch::guarded;
use rules::schedule as rule;
use types::{ArmMove, Arming, Body, Conflict, Domain, Guard, Write, limits};

use crate::steps::SCHEDULE;
use crate::{Error, Waker};

impl Waker {
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
            let (mut settled, mut first) = (true, Ok(()));
            for arming in elsewhere {
                match guarded(self.reckon_anew(arming, &zone)).await {
                    Ok(done) => settled &= done,
                    Err(error) => first = first.and(Err(error)),
                }
            }
            // Whoever was not reckoned anew is still elsewhere: that is for the next look.
            if !settled || first.is_err() {
                return first;
            }
        }
    }

    /// Whether it is reckoned anew; not if somebody else was at it meanwhile.
    async fn reckon_anew(&self, arming: Arming, zone: &str) -> Result<bool, Error> {
        let record = self.store.record(Domain::Agent, (&arming.schedule).into()).await?;
        let from = arming.last_slot.clone();
        let unchanged = record.as_ref().map(Guard::unchanged);
        let to = match record.map(|record| record.body) {
            Some(Body::AgentSchedule(body)) if arming.next_at.is_some() => {
                rule::armed(&arming.schedule, &body, from.clone(), zone).ok()
            }
            _ => None,
        };
        // One that cannot be reckoned here keeps its time and is not asked again.
        let to = to.unwrap_or(Arming { local_zone: None, ..arming });
        let writes = vec![Write::Arm(ArmMove { from, to })];
        match self.write(SCHEDULE, writes, unchanged.into_iter().collect()).await {
            Err(Error::Conflict(Conflict::Revision { .. } | Conflict::Armed { .. })) => Ok(false),
            other => other.map(|()| true),
        }
    }
}
