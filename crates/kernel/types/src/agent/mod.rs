//! Agents: who they are, what they durably know of themselves, and how they live and end.

mod extension;
mod identity;
mod lifecycle;
mod slots;
mod state;

pub use extension::Extension;
pub use identity::{AgentConfig, AgentIdentity, AgentKind, Mode, Ownership, Profile, Visibility};
pub use lifecycle::{DormantCause, Lifecycle};
pub use slots::{Slot, Slots};
pub use state::AgentState;
