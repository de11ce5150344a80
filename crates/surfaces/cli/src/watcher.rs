//! Showing what happens without waiting for whoever reads it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Duration;

use api_types::ProblemReply;

/// How much waits for a reader who is slow. More is left out, and counted.
const WAITING_MAX: usize = 256;

/// How long the end waits for a reader to take what is left.
const PATIENCE: Duration = Duration::from_secs(1);

/// Somebody who is shown what happens, from a thread of its own: a pipe that nobody empties must not stop a
/// server, nor keep it from being stopped.
pub struct Watcher<T> {
    waiting: SyncSender<T>,
    left_out: Arc<AtomicU64>,
    /// How it is said that so much was left out.
    gap: fn(u64) -> T,
    over: Receiver<Result<(), ProblemReply>>,
}

impl<T: Clone + Send + 'static> Watcher<T> {
    /// Has each thing shown on what `make` makes on the thread, and by `gap` how many were left out; `arrived` says in
    /// the end whether all of it came where it was to go.
    pub fn start<S>(
        make: impl FnOnce() -> S + Send + 'static,
        show: impl Fn(&S, &T) + Send + 'static,
        gap: fn(u64) -> T,
        arrived: impl FnOnce(&S) -> Result<(), ProblemReply> + Send + 'static,
    ) -> Watcher<T> {
        let (waiting, shown) = mpsc::sync_channel::<T>(WAITING_MAX);
        let (tell, over) = mpsc::sync_channel(1);
        let left_out = Arc::new(AtomicU64::new(0));
        let never_shown = Arc::clone(&left_out);
        thread::spawn(move || {
            let screen = make();
            shown.iter().for_each(|what| show(&screen, &what));
            match never_shown.load(Ordering::Acquire) {
                0 => {}
                left_out => show(&screen, &gap(left_out)),
            }
            // Nobody may be waiting.
            let _ = tell.send(arrived(&screen));
        });
        Watcher { waiting, left_out, gap, over }
    }

    /// Shows something, now or when whoever reads has come so far. Never waits.
    pub fn show(&self, what: &T) {
        let left_out = self.left_out.load(Ordering::Acquire);
        // That something is missing is said where it is missing.
        if left_out > 0 && self.waiting.try_send((self.gap)(left_out)).is_ok() {
            self.left_out.store(0, Ordering::Release);
        }
        let is_gap = self.left_out.load(Ordering::Acquire) > 0;
        if is_gap || self.waiting.try_send(what.clone()).is_err() {
            self.left_out.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Ends when all was shown, or when nobody reads it.
    ///
    /// # Errors
    /// If something did not arrive where it was to go.
    pub fn end(self) -> Result<(), ProblemReply> {
        drop(self.waiting);
        // Whoever has not read until now is not waited for: the process ends, and the thread with it.
        self.over.recv_timeout(PATIENCE).unwrap_or(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use api_types::WatchReply;
    use std::sync::Mutex;

    fn sample(n: usize) -> WatchReply {
        WatchReply::Sample { text: n.to_string() }
    }

    fn gap(left_out: u64) -> WatchReply {
        WatchReply::NotShown { left_out }
    }

    #[test]
    fn what_nobody_reads_is_counted_where_it_is_missing_and_nobody_waits_for_it() {
        let (read, may_read) = mpsc::channel::<()>();
        let (took, taken) = mpsc::channel::<()>();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let seeing = Arc::clone(&seen);
        let show = move |_: &(), what: &WatchReply| {
            seeing.lock().unwrap().push(what.clone());
            took.send(()).unwrap();
            // Reads on only when told to, and then to the end.
            let _ = may_read.recv();
        };
        let watcher = Watcher::start(|| (), show, gap, |()| Ok(()));
        watcher.show(&sample(0));
        taken.recv().unwrap();
        // The first is being read; so many wait, and three are too many.
        (1..=WAITING_MAX + 3).for_each(|n| watcher.show(&sample(n)));
        (0..2).for_each(|_| {
            read.send(()).unwrap();
            taken.recv().unwrap();
        });
        watcher.show(&sample(1_000));
        watcher.show(&sample(1_001));
        drop(read);
        assert_eq!(watcher.end(), Ok(()));
        let seen = seen.lock().unwrap();
        assert_eq!(seen[..=WAITING_MAX], (0..=WAITING_MAX).map(sample).collect::<Vec<_>>()[..]);
        let rest = [
            WatchReply::NotShown { left_out: 3 },
            sample(1_000),
            WatchReply::NotShown { left_out: 1 },
        ];
        assert_eq!(seen[WAITING_MAX + 1..], rest);
    }

    #[test]
    fn the_end_does_not_wait_for_a_reader_who_never_reads() {
        let (_never, may_read) = mpsc::channel::<()>();
        let watcher = Watcher::start(
            || (),
            move |(), _| {
                let _ = may_read.recv();
            },
            gap,
            |()| Ok(()),
        );
        watcher.show(&sample(0));
        assert_eq!(watcher.end(), Ok(()));
    }
}
