//! Speaking to a Dormouse, whatever lies in between.

mod connect;

pub use connect::{Client, Connect, Notice, Transport};
