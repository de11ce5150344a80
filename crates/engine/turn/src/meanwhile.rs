//! Doing something useful while waiting for somebody else.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

/// Waits for what is coming. If it is not there at once, the work is done as soon as whoever brings it is on
/// the way: what is done before that would keep them waiting.
pub(crate) async fn meanwhile<T>(coming: impl Future<Output = T>, work: impl FnOnce()) -> T {
    let mut coming = pin!(coming);
    let (mut work, mut on_the_way) = (Some(work), false);
    poll_fn(|context| {
        if let Poll::Ready(came) = coming.as_mut().poll(context) {
            return Poll::Ready(came);
        }
        match on_the_way {
            true => work.take().into_iter().for_each(|work| work()),
            // Those who were woken by the question have their turn first.
            false => {
                on_the_way = true;
                context.waker().wake_by_ref();
            }
        }
        Poll::Pending
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::task::{Context, Waker};

    /// Ready when it is asked so many times.
    fn after(polls: u32) -> impl Future<Output = u32> {
        let mut polled = 0;
        poll_fn(move |_| {
            polled += 1;
            if polled > polls { Poll::Ready(polled) } else { Poll::Pending }
        })
    }

    #[test]
    fn the_work_is_done_once_and_only_while_there_is_something_to_wait_for() {
        for (polls, times) in [(0, 0), (1, 0), (2, 1), (5, 1)] {
            let done = Cell::new(0);
            let mut waiting = pin!(meanwhile(after(polls), || done.set(done.get() + 1)));
            let context = &mut Context::from_waker(Waker::noop());
            for _ in 0..polls {
                assert_eq!(waiting.as_mut().poll(context), Poll::Pending);
            }
            assert_eq!(waiting.as_mut().poll(context), Poll::Ready(polls + 1));
            assert_eq!(done.get(), times, "{polls}");
        }
    }
}
