//! The index, and what one connection sees of it.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::locks::{Locks, Mine, range};
use crate::ffi::Regions;

/// The lock that SQLite holds while it writes, from before the first page of a transaction until after everybody
/// can see it.
const WRITING: usize = 0;

/// Knows which pages were written to a log.
pub trait Writes: Send + Sync {
    /// How many were written so far, of whatever transaction.
    fn count(&self) -> u64;

    /// Whether a page is certainly none of those that were written after the first `since`.
    fn is_untouched(&self, page: u32, since: u64) -> bool;
}

/// What the connections to a file have in common. Nobody else may use the file meanwhile.
#[derive(Default)]
pub struct Index {
    state: Mutex<State>,
    /// Pages that had been written when somebody last ended to write: whoever begins to read afterwards sees them,
    /// as far as they were committed.
    visible: AtomicU64,
}

#[derive(Default)]
struct State {
    locks: Locks,
    regions: Regions,
    /// Connections that look at the index. It is empty when the first comes.
    looking: usize,
}

impl Index {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing in here panics while it is half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one connection sees of it.
pub struct View {
    index: Arc<Index>,
    writes: Arc<dyn Writes>,
    own: Mutex<Own>,
    /// Of the pages that were written, all that its last transaction is sure to have seen.
    seen: AtomicU64,
}

#[derive(Default)]
struct Own {
    locks: Mine,
    looks: bool,
}

impl View {
    /// The view of a connection that is about to be opened.
    #[must_use]
    pub fn new(index: Arc<Index>, writes: Arc<dyn Writes>) -> View {
        View { index, writes, own: Mutex::default(), seen: AtomicU64::new(0) }
    }

    /// Where a region of the index lies. Null if it is not there and not to be made; nothing if it cannot be.
    pub(crate) fn region(&self, number: c_int, bytes: c_int, make: bool) -> Option<*mut u8> {
        let (mut own, mut state) = (self.own(), self.index.lock());
        if !own.looks {
            own.looks = true;
            state.looking += 1;
        }
        state.regions.region(usize::try_from(number).ok()?, usize::try_from(bytes).ok()?, make)
    }

    /// Shares some locks, or takes them alone. Says whether it could; nothing if there are no such locks.
    pub(crate) fn lock(&self, first: c_int, count: c_int, alone: bool) -> Option<bool> {
        let locks = range(first, count)?;
        let (mut own, mut state) = (self.own(), self.index.lock());
        if alone {
            return Some(state.locks.take(&mut own.locks, locks));
        }
        // Whoever begins to read shares a lock, and then makes sure that what it has found to be the end of the log
        // still is: so it sees at least what was visible here.
        self.seen.store(self.index.visible.load(Ordering::Acquire), Ordering::Relaxed);
        Some(state.locks.share(&mut own.locks, locks))
    }

    /// Lets go of some locks; nothing if there are no such locks.
    pub(crate) fn unlock(&self, first: c_int, count: c_int) -> Option<()> {
        let locks = range(first, count)?;
        let mut own = self.own();
        if locks.contains(&WRITING) && own.locks.has_alone(WRITING) {
            self.index.visible.store(self.writes.count(), Ordering::Release);
        }
        self.index.lock().locks.leave(&mut own.locks, locks);
        Some(())
    }

    /// What was written to the index before is seen before what is written afterwards.
    pub(crate) fn barrier(&self) {
        fence(Ordering::SeqCst);
    }

    /// Looks at the index no more. The last one leaves none behind.
    pub(crate) fn leave(&self) {
        let (mut own, mut state) = (self.own(), self.index.lock());
        state.locks.leave_all(&mut own.locks);
        if std::mem::take(&mut own.looks) {
            state.looking -= 1;
            if state.looking == 0 {
                state.regions = Regions::default();
            }
        }
    }

    /// Of the pages that were written, all that its last transaction is sure to have seen.
    pub(crate) fn seen(&self) -> u64 {
        self.seen.load(Ordering::Relaxed)
    }

    /// Whether a page is as it was for a transaction that had seen so many.
    pub(crate) fn is_untouched(&self, page: u32, since: u64) -> bool {
        self.writes.is_untouched(page, since)
    }

    fn own(&self) -> MutexGuard<'_, Own> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.leave();
    }
}
