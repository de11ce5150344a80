//! Room at a door: a connection on which nothing is asked gives up its place to somebody who comes while it is full.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

/// The connections of a door that wait to be asked something.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room(Arc<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    connections: AtomicUsize,
    wanted: Notify,
}

impl Room {
    /// Has the connection that has waited longest give up its place; none if each is at work.
    pub(crate) fn make(&self) -> bool {
        let any = self.0.connections.load(Ordering::Relaxed) > 0;
        if any {
            self.0.wanted.notify_one();
        }
        any
    }

    /// Waits until the place of whoever calls is wanted. To be dropped when something is asked.
    pub(crate) async fn wanted(&self) {
        let _waits = Waits::of(&self.0);
        self.0.wanted.notified().await;
    }
}

struct Waits<'a>(&'a Waiting);

impl Waits<'_> {
    fn of(waiting: &Waiting) -> Waits<'_> {
        waiting.connections.fetch_add(1, Ordering::Relaxed);
        Waits(waiting)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_one_that_has_waited_longest_gives_up_its_place_and_nobody_who_is_at_work() {
        let room = Room::default();
        assert!(!room.make(), "nobody is there");
        let mut first = Box::pin(room.wanted());
        let mut second = Box::pin(room.wanted());
        assert!(is_pending(first.as_mut()).await && is_pending(second.as_mut()).await);
        assert!(room.make());
        first.await;
        assert!(is_pending(second.as_mut()).await);
        drop(second);
        assert!(!room.make(), "it was asked something");
    }

    async fn is_pending(wanted: std::pin::Pin<&mut impl Future<Output = ()>>) -> bool {
        tokio::select! {
            biased;
            () = wanted => false,
            () = std::future::ready(()) => true,
        }
    }
}
