//! Ingress: the one door through which everything comes that may influence an agent.
//!
//! What comes in is stated by the code that stands at the door; what it may claim is derived by
//! `rules::admission`. An envelope, its words and the run that will read them are one commit, so
//! that nothing is admitted and not read, and nothing is acknowledged and not there.

mod admit;
mod delivery;
mod error;
mod hint;
mod refuse;
mod service;
mod session;
mod steps;
mod trigger;
mod wake;

pub use admit::Admitted;
pub use delivery::Delivery;
pub use error::Error;
pub use hint::HintDelivery;
pub use service::Ingress;
pub use steps::STEPS;
pub use wake::Woken;
