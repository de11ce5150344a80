//! The model that agents ask here: it never says the same twice, and now and then says nothing,
//! nonsense, or the same for ever.

mod answer;
mod fate;
mod scripted;
mod seen;

pub(crate) use scripted::Scripted;
