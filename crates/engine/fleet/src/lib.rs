//! The agents of a home: how they come to be, and who there is.

mod barrier;
mod birth;
mod create;
mod error;
mod kill;
mod life;
mod service;
mod status;
mod steps;
mod subscribe;
mod task;
mod template;
mod view;

pub use create::{CreateAgent, Subject};
pub use error::Error;
pub use service::Fleet;
pub use status::{AgentStatus, Edge};
pub use steps::STEPS;
pub use template::{BadTemplate, Template, TemplateKind, Templates};
pub use view::AgentView;
