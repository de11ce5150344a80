//! The agents of a home: how they come to be, and who there is.

mod barrier;
mod create;
mod error;
mod kill;
mod life;
mod service;
mod status;
mod steps;
mod subscribe;
mod template;
mod view;

pub use create::CreateAgent;
pub use error::Error;
pub use service::Fleet;
pub use status::{AgentStatus, Edge};
pub use steps::STEPS;
pub use template::Template;
pub use view::AgentView;
