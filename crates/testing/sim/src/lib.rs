//! A simulator of the whole program: seeded chance, a virtual clock, and real files.
//!
//! A seed gives a plan of things that happen: changes, words, schedules, stops, jumps of the clock,
//! crashes around every commit and in the middle of a model's answer, tools that hang, full discs, lost signals. One thread goes through it, so the same
//! seed gives the same story. A book is kept of what really happened, and judges that share no code
//! with the program compare it with what is promised. What fails is made smaller until only the
//! steps are left that matter.

mod bodies;
mod body;
mod book;
mod boot;
mod call;
mod campaign;
mod describe;
mod driver;
mod faults;
mod figures;
mod go;
mod hanging;
mod home;
mod make;
mod model;
mod oracle;
mod plan;
mod plan_mind;
mod resolve;
mod resolve_mind;
mod resolve_schedule;
mod resolve_turn;
mod seed;
mod shared;
mod shrink;
mod sim;
mod steps;
mod store;
mod violation;

pub use campaign::{Campaign, Failure, Summary};
pub use figures::{Crashed, Figures, all_steps};
pub use plan::{Plan, Step, What};
pub use seed::{Told, run};
pub use shrink::shrink;
pub use violation::Violation;
