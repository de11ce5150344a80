//! A Chat Completions server for tests.
//!
//! It answers what a [`Script`] says, in the shapes that OpenAI documents and the official client reads,
//! and it refuses requests that OpenAI would refuse. It also does what servers do on bad days: it cuts,
//! it hangs, it is slow, it talks nonsense. It keeps connections and counts what it is asked. No answer
//! is clever: nothing here is a model.

mod asked;
mod body;
mod check;
mod reply;
mod script;
mod scripts;
mod server;
mod shape;
mod stream;
mod strict;
mod wrong;

pub use asked::Asked;
pub use reply::Reply;
pub use script::Script;
pub use scripts::{NAMES, named};
pub use server::ChatServer;
