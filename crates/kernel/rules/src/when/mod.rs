//! Dates, times and durations as people write them, and as people like to read them.
//!
//! [`moment`] reads instants, [`moment_on`] those of a certain day, [`due`] days that may have a time, [`day`] days alone and [`minutes`]
//! durations. What "now" is and where come in as values. Words are English, week and clock are ISO's:
//! a week starts on Monday, a clock has 24 hours. What could be read in two ways is refused with a
//! hint instead of guessed; the few choices that had to be made are documented where they are made.

mod amount;
mod calendar;
mod clock_time;
mod day_word;
mod digits;
mod entry;
mod error;
mod here;
mod minutes;
mod names;
mod range;
mod shift;
mod show;
mod spoken;
mod words;

pub use entry::{Due, day, due, moment, moment_on};
pub use error::{Wanted, WhenError};
pub use minutes::{MINUTES_MAX, minutes};
pub use range::{YEAR_MAX, YEAR_MIN};
pub use show::{show_day, show_minutes, show_moment};
