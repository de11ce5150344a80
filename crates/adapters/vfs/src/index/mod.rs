//! The index of a log, as connections to the same file have it in common: the locks on it, and which pages were
//! written when.

mod locks;
mod view;

pub use view::{Index, View, Writes};
