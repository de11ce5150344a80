//! What Dormouse asks of a model, and how that may fail.
//!
//! A [`Request`] is neutral: parts of a prompt, what was said in this turn, tools. A transport lowers it
//! to its wire and owns nothing of its meaning. A [`Model`] reaches for one model as often as its retry
//! policy says and tells every attempt; which model, whether it may be asked at all and what it may cost
//! was decided before.

mod failure;
mod listen;
mod port;
mod request;
mod response;
mod schema;
mod standing;

pub use failure::Failure;
pub use listen::{Heard, Listen, Quiet};
pub use port::{Asking, Model, Price};
pub use request::{Exchange, Request, ToolSpec};
pub use response::{AskedCall, Response};
pub use schema::Emission;
pub use standing::{ProviderStanding, RetryPolicy};
pub use types::{Block, Generation};
