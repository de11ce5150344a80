//! The door.

use std::pin::Pin;

use tokio::sync::watch;
use types::{Commit, Domain, Epoch, Hashed, HostId, Outcome, Position};

use crate::{ReadChanges, ReadDue, ReadHistory, ReadRecords, ReadRuns, ReadSight, StoreError};

/// What a store will answer. It can be awaited under any executor; see [`crate::wait`] for none.
pub type Answer<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// A store of both domains.
///
/// A commit is on disk when its answer says `Applied`, and not before. Dropping the answer does
/// not take the commit back: it is on its way.
pub trait Store:
    ReadRecords + ReadHistory + ReadChanges + ReadRuns + ReadDue + ReadSight + Send + Sync
{
    /// Applies a commit: all of it, once, or nothing.
    fn commit(&self, commit: Commit) -> Answer<Outcome>;

    /// Says that a content of these bytes will be committed, by whoever has nothing better to do meanwhile: what
    /// can be done beforehand is done now. Nothing depends on it.
    fn foresee(&self, domain: Domain, bytes: &Hashed);

    /// Tells that a change log has grown, and up to where. It says look, not what: whoever listens
    /// reads the log from a durable cursor, and looks once at start, so a missed signal is no loss.
    fn watch(&self, domain: Domain) -> watch::Receiver<Position>;

    /// Tells that a commit among the agents has changed records that somebody may listen for, queued or
    /// freed runs, or set a clock: something may have become due. Like [`Store::watch`] it says look, and a missed signal is no loss.
    fn stirred(&self) -> watch::Receiver<u64>;

    /// Tells that a fence among the agents has moved since it was asked for: somebody was stopped, or may go
    /// on; and that the consent to a model was taken back. It says look; of one that moved just before it may tell,
    /// too.
    fn fenced(&self) -> watch::Receiver<u64>;

    /// This host's name in the streams of both domains.
    fn host(&self) -> &HostId;

    /// The epoch of this opening; writers that were claimed under an earlier one are late.
    fn epoch(&self) -> Epoch;
}
