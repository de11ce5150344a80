//! Checklists and their items.

mod add;
mod create;
mod draft;
mod edit;
mod move_items;
mod move_to_task;
mod place;
mod remove;
mod reorder;
mod update;

pub(crate) use add::AddMultipleChecklistItems;
pub(crate) use create::CreateChecklist;
pub(crate) use draft::ItemDraft;
pub(crate) use edit::EditChecklist;
pub(crate) use move_items::MoveChecklistItems;
pub(crate) use move_to_task::MoveChecklistItemsToNewTask;
pub(crate) use place::{USUAL_TITLE, list_of};
pub(crate) use remove::{RemoveChecklist, RemoveChecklistItems};
pub(crate) use reorder::ReorderChecklistItems;
pub(crate) use update::UpdateChecklistItems;
