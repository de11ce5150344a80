//! Quick capture: what comes in line by line becomes tasks, or a note.

mod ask;
mod lines;

pub(crate) use ask::{Capture, EXAMPLES, ask};
