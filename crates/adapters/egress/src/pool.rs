//! Connections that are open and that nobody uses.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::time::Instant;

use crate::Destination;
use crate::connect::Connection;
use crate::limits::{IDLE_FOR, IDLE_MAX};

/// Connections by destination, the one used last on top: those beneath grow old and are dropped.
#[derive(Default)]
pub(crate) struct Pool {
    idle: Mutex<HashMap<Destination, Vec<Idle>>>,
}

struct Idle {
    since: Instant,
    connection: Connection,
}

impl Pool {
    /// A connection that was good when it was last looked at.
    pub(crate) fn take(&self, destination: &Destination) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = idle.get_mut(destination)?;
        while let Some(Idle { since, connection }) = kept.pop() {
            if !connection.is_closed() && since.elapsed() < IDLE_FOR {
                return Some(connection);
            }
        }
        None
    }

    /// Keeps a connection whose answer was read to its end.
    pub(crate) fn keep(&self, destination: Destination, connection: Connection) {
        if connection.is_closed() {
            return;
        }
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = idle.entry(destination).or_default();
        if kept.len() >= IDLE_MAX {
            // The bottom is the oldest, and those that have ended gather there.
            kept.retain(|idle| !idle.connection.is_closed() && idle.since.elapsed() < IDLE_FOR);
        }
        if kept.len() < IDLE_MAX {
            kept.push(Idle { since: Instant::now(), connection });
        }
    }
}
