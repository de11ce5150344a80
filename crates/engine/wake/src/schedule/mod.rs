//! Schedules: creating, changing, asking for one now, and making up for a stretch of the past.

mod backfill;
mod create;
mod nap;
mod owner;
mod set_back;
mod step;
mod travel;
mod trigger;
mod view;
mod write;

pub use create::CreateSchedule;
pub use view::ScheduleView;
