//! Going through a past turn again: what made it is done once more from what was recorded of it, and held against
//! what came of it then. Nothing is asked, done or written.
//!
//! `through` is the list of what happens. A step that comes out as it was recorded is verified; what cannot be
//! done again says why.

mod answer;
mod end;
mod part;
mod past;
mod rounds;
mod sheet;
mod through;
mod wake;
