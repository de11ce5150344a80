//! The one way to a tool: a registry of what there is, and an executor that judges and carries out.
//!
//! A call goes through small steps, each in its file: it is taken up and its arguments looked at
//! (`work`), held against how things stand (`standing`), judged and planned (`judge`) within its time
//! (`in_time`), written down
//! before anything happens (`intend`), carried out in the journal (`effect`), and written down again with
//! its answer (`record`). Calls of one answer go side by side where they touch different things
//! (`abreast`). What a crash leaves between the last three is resolved by asking the journal
//! (`settle`). Of a call that is long over, its judgement can be made again (`rejudge`).

mod abreast;
mod belongs;
mod bounded;
mod conclude;
mod effect;
mod error;
mod executor;
mod in_time;
mod intend;
mod judge;
mod judge_all;
mod name;
mod path;
mod plan;
mod receipt;
mod record;
mod recorded;
mod registry;
mod rejudge;
mod rider;
mod schema;
mod settle;
mod standing;
mod steps;
mod told;
mod work;

pub use error::{Error, RegistryError};
pub use executor::Executor;
pub use name::{Drafted, Named};
pub use receipt::{Open, Receipt, Success};
pub use registry::{Offer, Registry};
pub use rejudge::Rejudged;
pub use rider::{Left, Rider};
pub use settle::Settled;
pub use steps::STEPS;
