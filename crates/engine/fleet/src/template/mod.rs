//! Templates: what a new agent is made from, as files that people can read, copy and change.
//!
//! Two are built in. Those of a home lie in its folder `templates`; one that has the name of a
//! built-in one takes its place. What is wrong in a file is refused with the file and the line.

mod bad;
mod catalogue;
mod fields;
mod file;
mod value;

pub use bad::BadTemplate;
pub use catalogue::Templates;
pub use value::{Template, TemplateKind};
