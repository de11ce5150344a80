//! Asking for a schedule now.

use rules::schedule as rule;
use store::StoreError;
use types::{Invalid, Occurrence, ScheduleId, limits};

use crate::fire::fired_once;
use crate::{Error, Waker};

impl Waker {
    /// Brings a schedule round now, under this request; its slots stay as they are.
    ///
    /// # Errors
    /// If it is over.
    pub async fn schedule_trigger(&self, id: &str, request: &str) -> Result<Occurrence, Error> {
        Invalid::unless_request(request).map_err(StoreError::from)?;
        let view = self.schedule_get(id).await?;
        if let Some(first) = self.triggered(&view.id, request).await? {
            return Ok(first);
        }
        self.refuse_unless_awake(&view.schedule.agent_id).await?;
        let in_flight = self.store.in_flight(view.id.clone()).await?;
        let now = self.world.now();
        let one = rule::manual(&view.schedule, &view.id, request, now, !in_flight.is_empty())?;
        let occurrence = one.occurrence.clone();
        let mut writes = fired_once(&view.schedule, one, &in_flight);
        writes.extend(self.met_by_schedule(&view.id).await?);
        writes.extend(self.over_if_one_shot(&view.id, &view.schedule).await?);
        self.schedule_queue(&view, writes, "schedule.trigger").await?;
        // If the same was asked for meanwhile, what became of that is what is on record.
        Ok(self.triggered(&view.id, request).await?.unwrap_or(occurrence))
    }

    /// What became of a request.
    async fn triggered(&self, id: &ScheduleId, request: &str) -> Result<Option<Occurrence>, Error> {
        let known = self.store.occurrences(id.clone(), limits::ROWS_PER_READ_MAX).await?;
        let asked = rule::manual_slot(request);
        Ok(known.into_iter().find(|one| one.last_slot == asked))
    }
}
