//! Tasks.

mod carry;
mod conclude;
mod create;
mod fields;
mod fit;
mod follow_up;
mod in_scope;
mod labels;
mod relate;
mod remove;
mod resolve;
mod set;

pub(crate) use conclude::ConcludeTaskWithRollover;
pub(crate) use create::CreateTask;
pub(crate) use fields::UpdateTaskFields;
pub(crate) use follow_up::CreateFollowUpTask;
pub(crate) use in_scope::ListTasksInScope;
pub(crate) use labels::AssignTaskLabels;
pub(crate) use relate::{RelateTasks, UnrelateTasks, no_circle};
pub(crate) use remove::RemoveTask;
pub(crate) use resolve::ResolveTaskReference;
pub(crate) use set::{
    SetTaskLanguage, SetTaskTitle, UpdateTaskDueDate, UpdateTaskEstimate, UpdateTaskPriority,
};
