//! The turn: a wake becomes work, durably and once.
//!
//! `driver` is the list of what happens; each step is an activity in a file of its own. What a model
//! answers is recorded before anything is done about it, together with the intents of the calls it asks
//! for, so that a turn that dies is taken up where it was and never asks twice what to do. What it did
//! is recorded with the end of its run. From the same records, a turn that is over is gone through again in
//! `replay`.
//!
//! Nothing here knows a provider, a prompt's words or a policy's rules: those are `ports/model`,
//! `kernel/context` and `kernel/policy`.

mod abandon;
mod act;
mod artifact;
mod ask;
mod broken;
mod classify;
mod close;
mod compact;
mod consents;
mod dormant;
mod driver;
mod fail;
mod fit;
mod gather;
mod hear;
mod hinted;
mod job;
mod ledger;
mod live;
mod meanwhile;
mod memory;
mod offer;
mod origins;
mod permit;
mod prompted;
mod question;
mod record;
mod replay;
mod resume;
mod service;
mod settings;
mod standing;
mod steer;
mod steps;
mod stop;
mod tell;
mod words;
mod workflow;

pub use context::Bounds;
pub use ledger::Spending;
pub use live::{Chunk, ChunkId, Following, Happened, Live};
pub use resume::Recorded;
pub use service::Turns;
pub use settings::{Deployment, Models, Part, PartOf, Profile, Settings};
pub use steps::STEPS;
