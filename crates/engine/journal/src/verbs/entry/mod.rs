//! Entries: notes, recordings and pictures. They are the operator's alone: agents read them and write
//! reports of their own.

mod edit;
mod place;
mod remove;
mod write;

pub(crate) use edit::EditEntry;
pub(crate) use remove::RemoveEntry;
pub(crate) use write::WriteEntry;
