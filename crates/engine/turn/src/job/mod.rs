//! A turn under way, in its parts.

mod deeds;
mod given;
mod meaning;
mod origin;
mod page;
mod purse;
mod talk;
mod whole;

pub(crate) use deeds::Deeds;
pub(crate) use given::Given;
pub(crate) use meaning::Meaning;
pub(crate) use origin::Origin;
pub(crate) use page::Page;
pub(crate) use purse::{Purse, amounts};
pub(crate) use talk::Talk;
pub(crate) use whole::Job;
