//! The one clock by which an agent wakes itself.

use rules::hash;
use rules::schedule::{self as rule, Plan};
use types::{
    AgentId, ArmMove, At, CatchUp, Overlap, RecordDraft, Recurrence, Schedule, ScheduleId,
    ScheduleTrigger, Write, limits,
};

use super::create::{CreateSchedule, schedule};
use crate::{Error, Waker};

impl Waker {
    /// The writes by which an agent wakes itself once, at a time. A second nap takes the place of
    /// the first.
    pub(crate) async fn nap(&self, agent: &AgentId, at: At) -> Result<Vec<Write>, Error> {
        let (id, now) = (nap_id(agent), self.world.now());
        // At its time or after it, never before.
        let millis = u64::try_from(at.millis() - now.millis()).unwrap_or(0);
        let seconds = millis.div_ceil(1_000).max(1);
        let (label, cron) = ("nap".to_owned(), None);
        let recurrence = Recurrence { label, cron, interval_seconds: Some(seconds) };
        let params = CreateSchedule {
            agent: agent.clone(),
            recurrence,
            trigger: ScheduleTrigger::Interval,
            zone: "UTC".to_owned(),
            overlap: Overlap::Allow,
            catch_up: CatchUp::ONCE,
            one_shot: true,
            always: true,
            ends_at: None,
            paused: false,
            request: None,
        };
        let mut body = schedule(&params, now);
        let from = self.store.arming(id.clone()).await?.and_then(|arming| arming.last_slot);
        // After a clock was set back, a second may come that a nap has had before; a slot that is
        // known would wake nobody.
        let known = self.store.occurrences(id.clone(), limits::ROWS_PER_READ_MAX).await?;
        let taken = |body: &Schedule| -> Result<bool, Error> {
            let slot = Plan::compile(body, "UTC")?.next(None).map(|due| due.slot);
            Ok(known.iter().any(|one| Some(&one.last_slot) == slot.as_ref()))
        };
        while taken(&body)? {
            body.recurrence.interval_seconds = body.recurrence.interval_seconds.map(|s| s + 1);
        }
        let to = rule::armed(&id, &body, None, "UTC")?;
        Ok(vec![Write::Record(RecordDraft::live(id, body)), Write::Arm(ArmMove { from, to })])
    }
}

/// The id of the clock by which an agent wakes itself once.
fn nap_id(agent: &AgentId) -> ScheduleId {
    ScheduleId::from_digest(&hash::fields(["schedule", agent.as_str(), "nap", ""]))
}
