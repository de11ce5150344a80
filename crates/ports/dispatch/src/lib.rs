//! Who moves the agents that are awake, and what an agent does when it is.
//!
//! [`Work`] is what there is to do, [`Dispatch`] is who does it: the embedded dispatcher with a task
//! per active agent, or an engine that spreads agents over machines. [`Body`] is the turn itself.

mod body;
mod guarded;
mod work;

pub use body::{
    Again, Begun, Body, Claim, Closing, Concluding, Ending, Remains, Rested, Turn, WaitDraft,
};
pub use guarded::{BrokeOff, guarded, last_words};
pub use work::{Dispatch, Look, Signal, Step, Work};
