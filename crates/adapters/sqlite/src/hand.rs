//! Who moves the writer: whoever comes alone, and a thread for all others.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use store::StoreError;

use crate::config::Drive;
use crate::desk::{Desk, Left};
use crate::prepared::Prepared;
use crate::queue::{Due, Group, Queue, Replies};
use crate::signals::Teller;

/// How long nobody has wanted anything when the log is folded.
const QUIET: Duration = Duration::from_millis(100);

/// How long it has been quiet when memory is given back.
const STILL: Duration = Duration::from_millis(300);

/// Writes of a commit that its caller may write by itself: more than the steps of most turns have. What is larger
/// takes so long that whoever shares the caller's thread would notice.
const SMALL: usize = 64;

/// The desk, and who serves at it.
pub(crate) struct Hand {
    shared: Arc<Shared>,
    /// Serves those who do not come alone, and tidies up. None if the caller moves everything.
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    desk: Mutex<Desk>,
    queue: Queue,
    teller: Arc<Teller>,
}

impl Hand {
    pub(crate) fn new(drive: Drive, desk: Desk, teller: Arc<Teller>) -> Hand {
        let (desk, queue) = (Mutex::new(desk), Queue::default());
        let shared = Arc::new(Shared { desk, queue, teller });
        let thread = match drive {
            Drive::Caller => None,
            Drive::Threads => {
                let shared = Arc::clone(&shared);
                Some(thread::spawn(move || {
                    let _end = EndOfWriting(&shared);
                    shared.work();
                }))
            }
        };
        Hand { shared, thread }
    }

    /// Takes a commit in: writes it, if whoever brings it comes alone, or leaves it to the thread. To hand it over
    /// means to wake the thread and to be woken by it, and one who is alone has nothing else to do meanwhile.
    pub(crate) fn take(&self, commit: Prepared, reply: Replies) -> Result<(), StoreError> {
        let Shared { queue, .. } = &*self.shared;
        let desk = (commit.commit.writes.len() <= SMALL).then(|| self.desk_for_one()).flatten();
        let Some(desk) = desk else { return queue.push(commit, reply) };
        let _panicked = LeftInAPanic(queue);
        if self.shared.serve(desk, (vec![commit], vec![reply])) {
            queue.call();
        }
        Ok(())
    }

    /// To be called by whoever has held the log for long: once it is quiet, the thread gives back what it could not
    /// meanwhile. A desk that somebody left in a panic is for the thread to find.
    pub(crate) fn let_go(&self) -> impl Fn() + Send + use<> {
        let shared = Arc::downgrade(&self.shared);
        move || {
            let Some(shared) = shared.upgrade() else { return };
            let Ok(mut desk) = shared.desk.lock() else { return };
            desk.let_go_of();
            drop(desk);
            shared.queue.call();
        }
    }

    /// The desk, if it is free and there is no crowd before it. One that somebody left in a panic is for the thread
    /// to find.
    fn desk_for_one(&self) -> Option<MutexGuard<'_, Desk>> {
        let free = self.thread.is_some() && self.shared.queue.is_calm();
        free.then(|| self.shared.desk.try_lock().ok()).flatten()
    }

    /// Writes what is waiting, one group, if the caller moves everything; says how many commits.
    pub(crate) fn drain(&self) -> usize {
        match self.thread {
            Some(_) => 0,
            None => self.shared.drain(),
        }
    }

    /// Lets what is waiting be written, takes no more, and leaves the desk.
    pub(crate) fn finish(&mut self) {
        self.shared.queue.close();
        match self.thread.take() {
            // One that panicked has told its callers by dropping their channels; see below.
            Some(thread) => drop(thread.join()),
            None => {
                while self.shared.drain() > 0 {}
                self.shared.desk().close();
            }
        }
    }
}

impl Shared {
    /// Writes whatever is waiting until there is nothing more to come. When nobody has wanted anything for a
    /// moment it tidies up; then it sleeps until somebody comes.
    fn work(&self) {
        let mut patience = None;
        loop {
            let due = self.queue.next(patience);
            // Whoever panicked while it wrote has left what nobody may go on with.
            let Ok(mut desk) = self.desk.lock() else { return };
            match due {
                Due::Group(group) => {
                    self.serve(desk, group);
                    let Ok(again) = self.desk.lock() else { return };
                    desk = again;
                }
                Due::Quiet => desk.tidy_up(),
                Due::Called => {}
                Due::Closed => return desk.close(),
            }
            desk.fold_if_long();
            patience = match desk.mind() {
                Left::Log => Some(QUIET),
                Left::Memory => Some(STILL),
                Left::Nothing => None,
            };
        }
    }

    /// Writes a group, then tells: each caller is answered and goes on with its turn, and last those are woken who
    /// look for more work. Telling before the write would be a lie, and dying in between loses nothing, since the
    /// log is read by cursor. The desk is free before anybody hears of it: one who is alone comes back at once.
    /// Says whether something is left there that nobody waits to do.
    fn serve(&self, mut desk: MutexGuard<'_, Desk>, (commits, callers): Group) -> bool {
        let (replies, news) = desk.write(&commits);
        self.queue.expect_again(commits.len());
        let unminded = desk.is_unminded();
        drop(desk);
        for (caller, answer) in callers.into_iter().zip(replies.into_iter().zip(commits)) {
            // Whoever has gone away does not need the answer.
            let _ = caller.send(answer);
        }
        self.teller.wake(&news);
        unminded
    }

    fn drain(&self) -> usize {
        let Some(group) = self.queue.next_now() else { return 0 };
        let count = group.0.len();
        self.serve(self.desk(), group);
        self.desk().fold_if_long();
        count
    }

    /// The desk, where one caller moves everything: it knows of its own panics.
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// However the writer ends, nobody waits for it in vain, and whoever keeps the file open hears of it.
struct EndOfWriting<'a>(&'a Shared);

impl Drop for EndOfWriting<'_> {
    fn drop(&mut self) {
        self.0.queue.abandon();
        self.0.teller.stopped(&StoreError::Closed);
    }
}

/// One who panics at the desk has the thread find it so at once, and not when the next one comes.
struct LeftInAPanic<'a>(&'a Queue);

impl Drop for LeftInAPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.call();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn one_who_panics_at_the_desk_has_the_thread_look_up() {
        let queue = Queue::default();
        drop(LeftInAPanic(&queue));
        assert!(matches!(queue.next(Some(Duration::ZERO)), Due::Quiet));
        let at_the_desk = AssertUnwindSafe(|| {
            let _panicked = LeftInAPanic(&queue);
            panic!("at the desk")
        });
        assert!(catch_unwind::<_, ()>(at_the_desk).is_err());
        assert!(matches!(queue.next(Some(Duration::ZERO)), Due::Called));
    }
}
