//! The journal: what people author, and the services that write it.
//!
//! Each verb plans a commit as a pure function and then hands it to the store. Nothing here knows
//! of agents.

mod category;
mod error;
mod service;
mod task;

pub use category::CategoryView;
pub use error::Error;
pub use service::Journal;
pub use task::{CreateTask, TaskView};
