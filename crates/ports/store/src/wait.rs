//! Waiting for an answer without an async runtime.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

/// Blocks this thread until the future is done. For command lines and tests; never call it on a
/// thread that drives other futures.
pub fn wait<T>(future: impl Future<Output = T>) -> T {
    wait_unless(future, || false).expect("it never breaks off")
}

/// Blocks this thread until the future is done, or until it waits for something that will not come.
pub fn wait_unless<T>(future: impl Future<Output = T>, in_vain: impl Fn() -> bool) -> Option<T> {
    let bell = Arc::new(Bell { rung: AtomicBool::new(false), sleeper: thread::current() });
    let waker = Waker::from(Arc::clone(&bell));
    let (mut context, mut future) = (Context::from_waker(&waker), pin!(future));
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return Some(value),
            Poll::Pending if in_vain() => return None,
            Poll::Pending => bell.sleep(),
        }
    }
}

/// Wakes a thread that sleeps, or is about to. That it was woken is noted here and not by the thread alone: somebody
/// who waits inside of what is waited for would take that away.
struct Bell {
    rung: AtomicBool,
    sleeper: Thread,
}

impl Bell {
    fn sleep(&self) {
        while !self.rung.swap(false, Ordering::Acquire) {
            thread::park();
        }
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Bell>) {
        self.rung.store(true, Ordering::Release);
        self.sleeper.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;

    #[test]
    fn who_waits_inside_of_what_is_waited_for_takes_no_wake_away() {
        let mut asked = 0;
        let outer = poll_fn(|context| {
            asked += 1;
            if asked == 2 {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            // As one who waits in here would: it is woken, finds nothing for itself, and goes to sleep again.
            thread::park();
            Poll::Pending
        });
        wait(outer);
        assert_eq!(asked, 2);
    }

    #[test]
    fn who_waits_in_vain_is_told_so() {
        assert_eq!(wait_unless(std::future::pending::<()>(), || true), None);
        assert_eq!(wait_unless(std::future::ready(7), || true), Some(7));
    }
}
