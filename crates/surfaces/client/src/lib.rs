//! Speaking to a Dormouse, whatever lies in between.

mod connect;
mod place;
mod socket;

pub use connect::{Client, Connect, Hear, Needs, Notice, Transport};
pub use place::SocketPlace;
pub use socket::Socket;
