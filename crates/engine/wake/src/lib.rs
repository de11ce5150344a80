//! Waking: from changes, clocks and waits to runs, and from runs to their ends.
//!
//! Each step reads what is committed, decides with a pure rule, and commits. What is remembered between
//! two steps only saves work; a restart may lose it. So a crash anywhere leaves work to be found again
//! and never work to be lost, and whatever suppresses a wake names what brings it back in the same
//! commit.

mod alongside;
mod awaits;
mod begin;
mod by_the_clock;
mod cancel;
mod drain;
mod end;
mod error;
mod expire;
mod fire;
mod idle;
mod list_runs;
mod look;
mod match_changes;
mod metrics;
mod outcome;
mod overtaken;
mod recover;
mod schedule;
mod service;
mod settings;
mod steps;
mod taken_up;
mod tries;
mod trim;
mod work;

pub use awaits::Awaits;
pub use error::Error;
pub use expire::SourceGone;
pub use metrics::WakeMetrics;
pub use outcome::{Told, Turned};
pub use schedule::{CreateSchedule, ScheduleView};
pub use service::Waker;
pub use settings::{Debounce, Settings};
pub use steps::STEPS;
