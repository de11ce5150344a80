//! Going through a past turn again: what made it is done once more from what was recorded of it, and held against
//! what came of it then. Nothing is asked, done or written.
//!
//! `through` is the list of what happens, `then` what the turn looked at, as it was. A step that comes out as it was recorded is verified; what cannot be
//! done again says why.

mod answer;
mod end;
mod part;
mod past;
mod put_back;
mod rounds;
mod sheet;
mod then;
mod through;
mod wake;
