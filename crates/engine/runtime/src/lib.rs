//! The runtime: the engine's rooms over one store and one world.

mod assemble;

pub use assemble::Runtime;
pub use fleet::{AgentStatus, AgentView, CreateAgent, Template};
pub use journal::{CategoryView, CreateTask, TaskView};
