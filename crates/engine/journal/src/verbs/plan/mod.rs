//! Plans of days. A plan is shared by all categories: whoever changes it is judged by the categories of
//! the blocks and tasks that they touch, and is shown only those within reach.

mod block;
mod close;
mod get;
mod open;
mod pin;
mod reopen;
mod replan;
mod seen;
mod upsert;

pub(crate) use close::CloseDay;
pub(crate) use get::GetOrCreateDayPlan;
pub(crate) use pin::PinDayPlanTasks;
pub(crate) use reopen::ReopenDay;
pub(crate) use replan::ReplanDayBlocks;
pub(crate) use upsert::UpsertDayPlanBlocks;
