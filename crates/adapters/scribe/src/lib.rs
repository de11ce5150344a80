//! The model that is part of Dormouse: `builtin/scribe`.
//!
//! It is a set of rules and says so. It reads the parts of a prompt, keeps a task's report, follows the
//! simple words of the person whose task it is, and tells what it cannot do. The same request has the
//! same answer; nothing leaves the machine, and nothing is spent.
//!
//! All of it is the pure function [`answer`]; [`Scribe`] is that function behind the port. What is not
//! the operator's word is never followed: it is named, quoted and bounded.

mod answer;
mod brief;
mod course;
mod deed;
mod hand;
mod limits;
mod model;
mod note;
mod obey;
mod order;
mod plain;
mod project;
mod read;
mod report;
mod usage;

pub use answer::answer;
pub use model::Scribe;
