//! Pausing, resuming and disabling a schedule.

use rules::schedule::{self as rule, End, Plan, ScheduleEvent};
use types::{ArmMove, RecordDraft, Schedule, ScheduleId, ScheduleStatus, Write};

use super::view::ScheduleView;
use crate::{Error, Waker};

impl Waker {
    /// Stops a schedule until it is resumed.
    ///
    /// # Errors
    /// If it does not come round now.
    pub async fn schedule_pause(&self, id: &str) -> Result<ScheduleView, Error> {
        self.schedule_step(id, ScheduleEvent::Pause, "schedule.pause").await
    }

    /// Lets a schedule come round again; what it would have had meanwhile is not made up for.
    ///
    /// # Errors
    /// If it is not paused.
    pub async fn schedule_resume(&self, id: &str) -> Result<ScheduleView, Error> {
        self.schedule_step(id, ScheduleEvent::Resume, "schedule.resume").await
    }

    /// Ends a schedule for good, and wakes who waits for it.
    ///
    /// # Errors
    /// If it is over already.
    pub async fn schedule_disable(&self, id: &str) -> Result<ScheduleView, Error> {
        let view = self.schedule_get(id).await?;
        let clock = self.store.arming(view.id.clone()).await?.map(ArmMove::stop);
        let waits = self.waits_on_schedule(&view.id).await?;
        let (event, why) = (ScheduleEvent::Disable, "the schedule was disabled");
        let writes = rule::ends(&view.id, view.schedule, End { event, clock, waits, why })?;
        self.schedule_write(&view.id, view.revision, writes, "schedule.disable").await
    }

    async fn schedule_step(
        &self,
        id: &str,
        event: ScheduleEvent,
        action: &'static str,
    ) -> Result<ScheduleView, Error> {
        let view = self.schedule_get(id).await?;
        let status = rule::step(view.schedule.status, event)?;
        let body = Schedule { status, ..view.schedule };
        let mut writes = vec![Write::Record(RecordDraft::live(&view.id, body.clone()))];
        writes.extend(self.clock_after(&view.id, &body).await?);
        self.schedule_write(&view.id, view.revision, writes, action).await
    }

    /// The clock of a schedule whose status has just become this.
    async fn clock_after(&self, id: &ScheduleId, body: &Schedule) -> Result<Option<Write>, Error> {
        let Some(arming) = self.store.arming(id.clone()).await? else { return Ok(None) };
        if body.status != ScheduleStatus::Active {
            return Ok(Some(Write::Arm(ArmMove::stop(arming))));
        }
        let zone = self.world.zone();
        let from = arming.last_slot;
        let plan = Plan::compile(body, &zone)?;
        let last_slot = rule::passed(&plan, from.clone(), self.world.now());
        let to = rule::armed(id, body, last_slot, &zone)?;
        Ok(Some(Write::Arm(ArmMove { from, to })))
    }
}
