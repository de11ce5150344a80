//! The threads that take turns, and coming to rest.

use std::io;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::watch;

/// The executor of a server: a thread for each core, each of which tidies up on its way to sleep.
///
/// # Errors
/// If the system has no room for it.
pub fn executor(tidy: fn()) -> io::Result<Runtime> {
    Builder::new_multi_thread().enable_all().on_thread_park(tidy).build()
}

/// Each time the store has come to rest, says so, and has the executor's threads go to sleep anew: they are
/// asleep already, and a thread puts its own things in order on its way there. While nothing happens it
/// costs nothing.
pub async fn at_rest(mut rests: watch::Receiver<u64>, say: fn()) {
    while rests.changed().await.is_ok() {
        say();
        for _ in 0..Handle::current().metrics().num_workers() {
            tokio::spawn(async {});
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use tokio::sync::watch;

    use super::at_rest;

    static SAID: AtomicU64 = AtomicU64::new(0);

    fn say() {
        SAID.fetch_add(1, Ordering::Relaxed);
    }

    #[tokio::test]
    async fn it_says_so_each_time_and_ends_with_the_store() {
        let (rests, rested) = watch::channel(0);
        let task = tokio::spawn(at_rest(rested, say));
        for rest in 1..=3 {
            rests.send_replace(rest);
            while SAID.load(Ordering::Relaxed) < rest {
                tokio::task::yield_now().await;
            }
        }
        drop(rests);
        task.await.expect("it ends by itself");
        assert_eq!(SAID.load(Ordering::Relaxed), 3);
    }
}
