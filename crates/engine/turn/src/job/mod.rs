//! A turn under way, in its parts.

mod deeds;
mod given;
mod meaning;
mod origin;
mod page;
mod talk;
mod whole;

pub(crate) use deeds::Deeds;
pub(crate) use given::Given;
pub(crate) use meaning::Meaning;
pub(crate) use origin::Origin;
pub(crate) use page::Page;
pub(crate) use talk::Talk;
pub(crate) use whole::Job;
