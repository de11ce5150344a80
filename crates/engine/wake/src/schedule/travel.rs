//! Setting the clocks that go by the host's own zone, when the host has moved.

use std::sync::PoisonError;

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
}
