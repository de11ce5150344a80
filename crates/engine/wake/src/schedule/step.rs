//! Pausing, resuming and disabling a schedule.

use rules::schedule::{self as rule, End, Resumed, ScheduleEvent};
use types::{ArmMove, Arming, RecordDraft, Schedule, Write};

use super::view::ScheduleView;
use crate::{Error, Waker};

impl Waker {
    /// Stops a schedule until it is resumed.
    ///
    /// # Errors
    /// If it does not come round now.
    pub async fn schedule_pause(&self, id: &str) -> Result<ScheduleView, Error> {
        let view = self.schedule_get(id).await?;
        let status = rule::step(view.schedule.status, ScheduleEvent::Pause)?;
        let body = Schedule { status, ..view.schedule };
        let clock = self.store.arming(view.id.clone()).await?.map(ArmMove::stop);
        let mut writes = vec![Write::Record(RecordDraft::live(&view.id, body))];
        writes.extend(clock.map(Write::Arm));
        self.schedule_write(&view.id, view.revision, writes, "schedule.pause").await
    }

    /// Lets a schedule come round again; what it would have had meanwhile is not made up for. If nothing more
    /// comes, it is over with that.
    ///
    /// # Errors
    /// If it is not paused.
    pub async fn schedule_resume(&self, id: &str) -> Result<ScheduleView, Error> {
        let view = self.schedule_get(id).await?;
        let status = rule::step(view.schedule.status, ScheduleEvent::Resume)?;
        let body = Schedule { status, ..view.schedule };
        let writes = match self.store.arming(view.id.clone()).await? {
            Some(arming) => self.goes_on(body, arming).await?,
            None => vec![Write::Record(RecordDraft::live(&view.id, body))],
        };
        self.schedule_write(&view.id, view.revision, writes, "schedule.resume").await
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

    /// What makes a schedule go on that has just become active.
    async fn goes_on(&self, body: Schedule, arming: Arming) -> Result<Vec<Write>, Error> {
        let (id, from) = (arming.schedule, arming.last_slot);
        let (zone, now) = (self.world.zone(), self.world.now());
        let body = rule::begun_anew(&body, now).unwrap_or(body);
        let Resumed { clock: to, over, missed } =
            rule::resumed(&id, &body, from.clone(), &zone, now)?;
        let clock = ArmMove { from, to };
        if !over {
            return Ok(vec![Write::Record(RecordDraft::live(&id, body)), Write::Arm(clock)]);
        }
        let mut writes: Vec<Write> = missed.map(Write::Occur).into_iter().collect();
        let waits = self.waits_on_schedule(&id).await?;
        let (event, why) = (ScheduleEvent::Expire, "the schedule has expired");
        writes.extend(rule::ends(&id, body, End { event, clock: Some(clock), waits, why })?);
        Ok(writes)
    }
}
