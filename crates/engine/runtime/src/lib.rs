//! The runtime: the engine's rooms over one store and one world.

mod assemble;
mod watcher;

pub use assemble::{Runtime, Stay};
pub use fleet::{AgentStatus, AgentView, CreateAgent, Edge, Template};
pub use ingress::{Admitted, Delivery};
pub use journal::{CategoryView, CreateTask, TaskView};
pub use rules::obligation::Obligation;
pub use wake::{CreateSchedule, ScheduleView};
