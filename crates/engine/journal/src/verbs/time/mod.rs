//! Time that was spent, and the timer that runs.

mod annotate;
mod edit;
mod fit;
mod log;
mod remove;
mod start;
mod stop;

pub(crate) use annotate::AnnotateTimeEntry;
pub(crate) use edit::EditTimeEntry;
pub(crate) use fit::{minutes, ordered};
pub(crate) use log::CreateRetrospectiveTimeEntry;
pub(crate) use remove::RemoveTimeEntry;
pub(crate) use start::StartTaskTimer;
pub(crate) use stop::StopTaskTimer;
