//! The server: the one router behind two doors.
//!
//! The local socket takes one request a line and is for programs of the same person, who is let in by
//! the file's permissions. Loopback HTTP takes one request a call and is for everything else, which is
//! let in by a token. Neither knows what a request means: both hand it to the router. What takes a while
//! can be followed through either. For Linux and macOS.

mod admit;
mod call;
mod events;
mod guard;
mod limits;
mod line;
mod listen;
mod problem;
mod read;
mod room;
mod server;
mod socket;
mod status;
mod stop;
mod taken;
mod talk;
mod token;

pub use listen::{listen, must_be_loopback};
pub use server::Server;
pub use socket::LocalSocket;
pub use token::Token;
