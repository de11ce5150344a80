//! The writer's state: its connection, and the ends of the logs it appends to.

use std::path::PathBuf;

use store::StoreError;
use types::{Digest, Domain, HostId, Position};
use vfs::Connection;

use crate::config::Synchronous;
use crate::fault::Fault;

use super::fences::KnownFences;

/// The ends of the file's logs, kept in memory so that appending asks nobody.
///
/// It is a plain value: taken before a transaction and put back if that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tail {
    /// The last change.
    pub(crate) position: u64,
    /// The last of this host's commits.
    pub(crate) counter: u64,
    /// The last run.
    pub(crate) run_number: u64,
    /// The last audit entry.
    pub(crate) audit_number: u64,
    /// Its hash.
    pub(crate) audit_hash: Digest,
}

/// The one that writes to a file.
///
/// [`Writer::drain`] is all it does. A thread calls it in production and the simulator calls it on
/// its own, so the simulated store is the real one.
pub(crate) struct Writer {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
    pub(crate) domain: Domain,
    pub(crate) host: HostId,
    pub(crate) tail: Tail,
    /// How often something may have become due.
    pub(crate) stirs: u64,
    /// How often a fence may have moved.
    pub(crate) fences: u64,
    /// Fences as they stand: every commit of an agent asks for some.
    pub(super) known_fences: KnownFences,
    /// Set after a failed sync: what is on the disk is in doubt until the file is opened anew.
    pub(super) stopped: Option<StoreError>,
    /// Whether the next transaction is on the disk when it ends. One that never is has nothing to say about it.
    waits: Option<bool>,
}

impl Writer {
    pub(crate) fn new(
        connection: Connection,
        path: PathBuf,
        domain: Domain,
        host: HostId,
        tail: Tail,
        synchronous: Synchronous,
    ) -> Writer {
        Writer {
            connection,
            path,
            domain,
            host,
            tail,
            stirs: 0,
            fences: 0,
            known_fences: KnownFences::default(),
            stopped: None,
            waits: (synchronous == Synchronous::Full).then_some(true),
        }
    }

    /// Says whether the next transaction has to be on the disk when it ends. One that has takes with it
    /// all that had not: the log is synced as a whole.
    pub(super) fn wait_for_the_disk(&mut self, waits: bool) -> Result<(), Fault> {
        if self.waits.is_none_or(|before| before == waits) {
            return Ok(());
        }
        let level = if waits { "FULL" } else { "NORMAL" };
        self.connection.pragma_update(None, "synchronous", level)?;
        self.waits = Some(waits);
        Ok(())
    }

    /// Whether what is on the disk is in doubt.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Why it is, if it is.
    pub(crate) fn stopped(&self) -> Option<&StoreError> {
        self.stopped.as_ref()
    }

    /// The last change.
    pub(crate) fn position(&self) -> Position {
        Position(self.tail.position)
    }
}
