//! Asking for a schedule now.

use rules::schedule as rule;
use store::StoreError;
use types::{Invalid, Occurrence, limits};

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
        let known = self.store.occurrences(view.id.clone(), limits::ROWS_PER_READ_MAX).await?;
        let asked = rule::manual_slot(request);
        if let Some(first) = known.into_iter().find(|one| one.last_slot == asked) {
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
        Ok(occurrence)
    }
}
