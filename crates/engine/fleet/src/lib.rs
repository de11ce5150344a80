//! The agents of a home: how they come to be, and who there is.

mod create;
mod error;
mod service;
mod template;
mod view;

pub use create::CreateAgent;
pub use error::Error;
pub use service::Fleet;
pub use template::Template;
pub use view::{AgentStatus, AgentView};
