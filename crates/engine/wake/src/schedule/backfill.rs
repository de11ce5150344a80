//! Making up for a stretch of the past.

use rules::schedule::{self as rule, Plan, Stretch};
use types::{At, limits};

use crate::fire::fired;
use crate::{Error, Waker};

impl Waker {
    /// Runs the slots of a stretch of the past that no record speaks of; says how many.
    ///
    /// # Errors
    /// If there are too many of them, the stretch ends before it begins, or the schedule is over.
    pub async fn schedule_backfill(&self, id: &str, from: At, to: At) -> Result<u64, Error> {
        rule::refuse_backwards(from, to)?;
        let view = self.schedule_get(id).await?;
        rule::refuse_over(&view.schedule)?;
        self.refuse_unless_awake(&view.schedule.agent_id).await?;
        let plan = Plan::compile(&view.schedule, &self.world.zone())?;
        let known = self.store.occurrences(view.id.clone(), limits::ROWS_PER_READ_MAX).await?;
        let open = rule::backfill(&Stretch {
            id: &view.id,
            schedule: &view.schedule,
            plan: &plan,
            from,
            to,
            now: self.world.now(),
            known: &known,
            more: known.len() >= limits::ROWS_PER_READ_MAX,
        })?;
        let writes = fired(&view.schedule, &open);
        self.schedule_queue(&view, writes, "schedule.backfill").await?;
        Ok(open.len() as u64)
    }
}
