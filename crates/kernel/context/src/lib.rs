//! Records in, the prompt of a turn out, part by part; and what of the old is to be summarised.
//!
//! [`assemble`] is a function of what the turn has gathered ([`Seen`]) and of how much room there is
//! ([`Bounds`]): the same values give the same words. A part that holds data is a heading line and one
//! JSON value, so nothing that somebody wrote can begin a part or end one. Every part is bounded by
//! count and by tokens, so an agent that has lived for years is asked with as few words as a young one;
//! what was left out is counted where it is missing.
//!
//! Nothing here reads a store or asks a model. [`compaction`] says which messages should be summarised
//! and how it is done without a model, and [`projection`] which parts may cross which boundary.

mod assemble;
mod bounds;
pub mod compaction;
mod cut;
mod keep;
mod meaning;
mod part;
mod parts;
mod policy;
pub mod projection;
mod prompt;
mod seen;
mod slim;
mod tokens;

pub use assemble::{assemble, tokens_to_begin_with};
pub use bounds::{Bounds, Room};
pub use meaning::meaning;
pub use policy::POLICY;
pub use prompt::{Item, Prompt, is_exposed};
pub use seen::{
    Direction, Hinted, Input, Linked, Note, Said, Seen, Standing, Tended, Texts, Who, Woken,
};
pub use slim::slim;
pub use tokens::{tokens, tokens_of};
