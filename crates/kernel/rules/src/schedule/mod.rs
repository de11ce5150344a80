//! Schedules: which slots a schedule has, which of them are due, and what becomes of each.
//!
//! A slot has an identity of its own, its name: the civil time for a cron line, the instant for an
//! interval. Whatever has been dealt with is remembered by name, so no jump of the clock and no
//! change of zone makes the same slot come twice.

mod arm;
mod backfill;
pub(crate) mod civil;
mod cron;
mod cron_field;
mod cron_slots;
mod due;
mod end;
pub(crate) mod error;
#[cfg(test)]
mod fixtures;
mod gap;
mod interval;
mod on_demand;
mod overlap;
mod pattern;
mod plan;
mod resume;
mod status;
mod validate;
pub(crate) mod zone;

pub use arm::{AHEAD_MAX_MS, BroughtBack, NO_EARLIER, armed, begun_anew, brought_back, has_begun};
pub use backfill::{BACKFILL_SLOTS_MAX, Stretch, backfill, refuse_backwards};
pub use due::{CATCH_UP_RUNS_MAX, Firing, GRACE_MILLIS, Look, look};
pub use end::{End, ends};
pub use error::ScheduleError;
pub use on_demand::{event, manual, manual_slot, refuse_over};
pub use overlap::Fired;
pub use plan::{Due, Plan};
pub use resume::{Resumed, resumed};
pub use status::{NoSuchStep, ScheduleEvent, step};
pub use validate::validate;
pub use zone::LOCAL;
