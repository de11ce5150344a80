//! A store whose commits happen when the simulator says so, and as it says.

mod door;
mod reads;

pub(crate) use door::{Handed, SimStore};
