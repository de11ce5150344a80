//! Tools: what an agent can ask for.
//!
//! A tool does not act. It reads, and answers with a [`Planned`] effect: writes as values, what they
//! rest on, and the answer they will have. The executor judges the plan at its one gate and carries it
//! out; a preview is a plan that is shown and dropped. So a tool can be tested without a gate, and the
//! gate without a tool.

mod call;
mod contract;
mod failure;
mod manner;
mod port;

pub use call::{Call, Planned, Target};
pub use contract::{Contract, ID_END};
pub use failure::Failure;
pub use manner::Manner;
pub use port::{Planning, Tool};
pub use types::{Capability, Idempotency, Risk, ScopeRule};
