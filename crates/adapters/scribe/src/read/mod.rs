//! Reading a prompt: parts in, what they say out. What cannot be read is not there.

mod around;
mod field;
mod prompt;
mod task;

pub(crate) use around::{Change, Did, Input, Linked, Standing, Wake, day};
pub(crate) use prompt::Prompt;
pub(crate) use task::{Checklist, Entry, Item, Task};
