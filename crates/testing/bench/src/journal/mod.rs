//! A year of a busy person's journal beside a fiftieth of it: what people look at every day must cost
//! what it shows, not what there is.

mod home;
mod looks;
mod report;
mod run;

pub(crate) use run::run;
