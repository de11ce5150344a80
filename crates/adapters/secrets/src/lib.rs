//! Where secrets are, and how to have one for a moment.
//!
//! Dormouse stores where a secret is, never the secret. It is looked up at each call, handed to whoever
//! sends it, and forgotten. A [`Secret`] cannot be printed or written down by accident.

mod resolve;
mod secret;

pub use resolve::{Unavailable, resolve};
pub use secret::Secret;
