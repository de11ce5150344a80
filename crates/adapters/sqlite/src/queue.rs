//! Commits on their way to the writer.

use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use store::StoreError;
use tokio::sync::oneshot;
use types::{Outcome, limits};

use crate::prepared::Prepared;

/// Where a commit's caller waits. The commit goes back with the answer, so that taking it apart is
/// the caller's work and not the writer's.
pub(crate) type Replies = oneshot::Sender<(Result<Outcome, StoreError>, Prepared)>;

/// How long the writer waits for each of the commits that are likely to come: a fraction of the sync that
/// it saves by coming along. Two wait for each other only a moment, and a crowd, whose members need the cores
/// meanwhile to get ready, for a while.
const LINGER: Duration = Duration::from_micros(60);

/// Those that are waited for at most.
const LINGER_MAX: u32 = 32;

/// So many are waited for until all have come. Of more the first half is enough: the others get ready while
/// it is written.
const FEW: usize = 8;

/// Whoever comes after so many groups of one is taken to be alone.
const ALONE_AFTER: u32 = 8;

/// What is waiting for a file's writer. The writer takes whatever is there as one group, so the
/// slower the disk, the larger the groups.
///
/// Callers that wait for an answer before they ask again would split into two halves that take
/// turns, each with a sync of its own. So after a group the writer expects as many as it has just
/// answered and as still wait, and lingers for them a moment, or for half of a crowd. A caller that is
/// alone is not waited for, except once after a crowd.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
}

#[derive(Default)]
struct Waiting {
    commits: Vec<Prepared>,
    replies: Vec<Replies>,
    expected: usize,
    /// When a group was last about to be answered.
    answered: Option<Instant>,
    /// Groups of one, of late, behind which nobody waited.
    singles: u32,
    /// The thread is to look up, though nothing waits.
    called: bool,
    closed: bool,
}

/// A group of commits with their callers, in the same order.
pub(crate) type Group = (Vec<Prepared>, Vec<Replies>);

/// What there is for the writer to do.
pub(crate) enum Due {
    Group(Group),
    /// Nobody has wanted anything for as long as the writer was willing to wait.
    Quiet,
    /// Somebody has written by itself, and left something to be seen to.
    Called,
    /// The queue is closed and empty.
    Closed,
}

/// How many of those that are expected are worth writing.
fn enough(expected: usize) -> usize {
    if expected <= FEW { expected } else { expected.div_ceil(2) }
}

/// How long nobody has been answered; as long as anybody would wait, if nobody ever was.
fn quiet(waiting: &Waiting, patience: Duration) -> Duration {
    waiting.answered.map_or(patience, |at| at.elapsed())
}

impl Queue {
    /// Adds a commit, or says why not.
    pub(crate) fn push(&self, commit: Prepared, reply: Replies) -> Result<(), StoreError> {
        let mut waiting = self.lock();
        if waiting.closed {
            return Err(StoreError::Closed);
        }
        if waiting.commits.len() >= limits::COMMITS_WAITING_MAX {
            return Err(StoreError::Busy { waiting: waiting.commits.len() });
        }
        waiting.commits.push(commit);
        waiting.replies.push(reply);
        let count = waiting.commits.len();
        let worth_waking = count == 1 || count == enough(waiting.expected);
        drop(waiting);
        if worth_waking {
            self.arrived.notify_one();
        }
        Ok(())
    }

    /// The next group, as soon as there is one, or word that there was none for so long.
    pub(crate) fn next(&self, patience: Option<Duration>) -> Due {
        let idle = |waiting: &mut Waiting| {
            waiting.commits.is_empty() && !waiting.closed && !waiting.called
        };
        let waiting = self.lock();
        let mut waiting = match patience {
            None => self.arrived.wait_while(waiting, idle).unwrap_or_else(PoisonError::into_inner),
            Some(patience) => match self.wait_for_quiet(waiting, patience, idle) {
                Some(waiting) => waiting,
                None => return Due::Quiet,
            },
        };
        if mem::take(&mut waiting.called) && waiting.commits.is_empty() {
            return Due::Called;
        }
        let short = |waiting: &mut Waiting| {
            waiting.commits.len() < enough(waiting.expected) && !waiting.closed
        };
        let expected = u32::try_from(waiting.expected).unwrap_or(u32::MAX);
        let linger = LINGER * expected.min(LINGER_MAX);
        let lingered = self.arrived.wait_timeout_while(waiting, linger, short);
        let (waiting, _) = lingered.unwrap_or_else(PoisonError::into_inner);
        self.take(waiting).map_or(Due::Closed, Due::Group)
    }

    /// Waits until there is something to do, or nothing if nobody has been answered for so long: those who write by
    /// themselves do not pass by here.
    fn wait_for_quiet<'a>(
        &'a self,
        mut waiting: MutexGuard<'a, Waiting>,
        patience: Duration,
        idle: impl Fn(&mut Waiting) -> bool,
    ) -> Option<MutexGuard<'a, Waiting>> {
        loop {
            let left = patience.saturating_sub(quiet(&waiting, patience));
            let waited = self.arrived.wait_timeout_while(waiting, left, &idle);
            let (still, waited) = waited.unwrap_or_else(PoisonError::into_inner);
            waiting = still;
            if !waited.timed_out() {
                return Some(waiting);
            }
            if quiet(&waiting, patience) >= patience {
                return None;
            }
        }
    }

    /// Notes that a group is about to be answered: its callers are likely to come again.
    #[expect(
        clippy::disallowed_methods,
        reason = "only the thread, which waits, asks how long it is quiet"
    )]
    pub(crate) fn expect_again(&self, group: usize) {
        let mut waiting = self.lock();
        let likely = group + waiting.commits.len();
        waiting.expected = likely.min(limits::COMMITS_PER_GROUP_MAX);
        waiting.answered = Some(Instant::now());
        waiting.singles = if likely == 1 { waiting.singles.saturating_add(1) } else { 0 };
    }

    /// Whether whoever comes now is alone, as far as can be told.
    pub(crate) fn is_calm(&self) -> bool {
        let waiting = self.lock();
        waiting.singles >= ALONE_AFTER && waiting.commits.is_empty() && !waiting.closed
    }

    /// Has the thread look up, though nothing waits.
    pub(crate) fn call(&self) {
        self.lock().called = true;
        self.arrived.notify_one();
    }

    /// The next group, if there is one now.
    pub(crate) fn next_now(&self) -> Option<Group> {
        self.take(self.lock())
    }

    fn take(&self, mut waiting: MutexGuard<'_, Waiting>) -> Option<Group> {
        if waiting.commits.is_empty() {
            return None;
        }
        let count = waiting.commits.len().min(limits::COMMITS_PER_GROUP_MAX);
        let commits = waiting.commits.drain(..count).collect();
        let replies = waiting.replies.drain(..count).collect();
        Some((commits, replies))
    }

    /// Lets what is waiting be written and takes no more.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.arrived.notify_all();
    }

    /// Takes no more and lets go of what waits: dropping a reply tells its caller.
    pub(crate) fn abandon(&self) {
        let mut waiting = self.lock();
        waiting.closed = true;
        waiting.replies.clear();
        waiting.commits.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // The lists are whole after any panic: nothing that can panic happens between two pushes.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
