//! Tasks.

mod create;
mod view;

pub use create::CreateTask;
pub use view::TaskView;
