//! Schedules as they are shown: one, and all of an agent.

use std::cmp::Reverse;

use rules::naming::{Naming, naming};
use store::{Ending, Listing};
use types::{
    AgentId, At, Body, BodyType, Domain, Occurrence, Record, Schedule, ScheduleId, ScheduleStatus,
    limits,
};

use crate::{Error, Waker};

/// A schedule as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleView {
    /// Its id.
    pub id: ScheduleId,
    /// What it says.
    pub schedule: Schedule,
    /// How often it was written.
    pub revision: u64,
    /// When it comes round next; never, if no time is named.
    pub next_at: Option<At>,
    /// The newest of what became of its slots.
    pub last: Option<Occurrence>,
    /// It was asked for once more under the request that had made it.
    pub again: bool,
}

impl Waker {
    /// A schedule by its id or the last characters of it.
    ///
    /// # Errors
    /// If there is none, or more than one is meant.
    pub async fn schedule_get(&self, id: &str) -> Result<ScheduleView, Error> {
        let unknown = || Error::UnknownSchedule { id: id.to_owned() };
        let named = match naming("schedule", id).ok_or_else(unknown)? {
            Naming::Whole(id) => id,
            Naming::Ending(ending) => {
                match Ending::find(&*self.store, Domain::Agent, "schedule", ending.clone()).await? {
                    Ending::Of(id) => id,
                    Ending::Nobodys => return Err(unknown()),
                    Ending::OfSeveral => return Err(Error::AmbiguousSchedule { ending }),
                }
            }
        };
        let schedule: ScheduleId = named.as_str().parse().map_err(|_| unknown())?;
        let record = self.store.record(Domain::Agent, named).await?;
        let record = record.filter(|record| record.deleted_at.is_none()).ok_or_else(unknown)?;
        let Body::AgentSchedule(body) = record.body else { return Err(unknown()) };
        let arming = self.store.arming(schedule.clone()).await?;
        let last = self.store.occurrences(schedule.clone(), 1).await?.pop();
        let next_at = arming.and_then(|arming| arming.next_at);
        let (id, revision) = (schedule, record.revision);
        Ok(ScheduleView { id, schedule: body, revision, next_at, last, again: false })
    }

    /// An agent's schedules, newest first. Those that are over hide none that is not.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn schedule_list(&self, agent: &AgentId) -> Result<Vec<ScheduleView>, Error> {
        use ScheduleStatus::{Active, Disabled, Expired, Paused};
        let mut found = Vec::new();
        for status in [Active, Paused, Expired, Disabled] {
            found.extend(self.schedules_that_are(status, agent).await?);
        }
        found.sort_by_key(|record| Reverse(record.created_at));
        let mut views = Vec::new();
        for record in found {
            views.push(self.schedule_get(record.id.as_str()).await?);
        }
        Ok(views)
    }

    /// The newest of an agent's schedules of one status.
    pub(super) async fn schedules_that_are(
        &self,
        status: ScheduleStatus,
        agent: &AgentId,
    ) -> Result<Vec<Record>, Error> {
        let listing = Listing {
            subtype: Some(status.as_str().to_owned()),
            ..Listing::of(agent.as_str(), BodyType::AgentSchedule, limits::SCHEDULES_MAX)
        };
        Ok(self.store.records(Domain::Agent, listing).await?)
    }
}
