//! The desk at which a verb is planned: it reads, and notes what was looked at.

mod beneath;
mod days;
mod dwellers;
mod find;
mod lies;
mod loaded;
mod reading;
mod refer;
mod tasks;
mod under;

pub(crate) use beneath::beneath;
pub(crate) use days::in_order;
pub(crate) use dwellers::many;
pub(crate) use find::typed;
pub(crate) use lies::Kept;
pub(crate) use loaded::{Loaded, Place};
pub(crate) use reading::{Desk, Reach};
pub(crate) use tasks::TaskQuery;
pub use tasks::TaskSort;
