//! Labels.

mod add;
mod edit;
mod remove;

pub(crate) use add::AddLabel;
pub(crate) use edit::EditLabel;
pub(crate) use remove::RemoveLabel;
