//! A limit on everything that another host can make us hold or wait for.

use std::time::Duration;

/// How long to wait and how much to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For the name, the connection and the handshake.
    pub connect: Duration,
    /// For all of it, up to the last byte of the answer.
    pub whole: Duration,
    /// Bytes of an answer: a long one of a model has a hundredth of it.
    pub response_bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connect: Duration::from_secs(10),
            // A large model on a small machine thinks for minutes before its first word.
            whole: Duration::from_secs(300),
            response_bytes_max: 8 * 1024 * 1024,
        }
    }
}

/// Connections kept per destination while nobody uses them; each costs a file handle.
pub(crate) const IDLE_MAX: usize = 64;

/// How long a connection is kept unused: routers on the way forget quiet ones after minutes.
pub(crate) const IDLE_FOR: Duration = Duration::from_secs(60);

/// How long the end of an answer is awaited whose content is already complete.
pub(crate) const DRAIN_FOR: Duration = Duration::from_millis(20);
