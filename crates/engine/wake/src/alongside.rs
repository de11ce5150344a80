//! Waiting until a run has begun, while its turn looks around.

use std::future::{pending, poll_fn};
use std::pin::pin;
use std::task::Poll;

use dispatch::{Begun, Ending, Turn};
use tokio::sync::oneshot;

/// Whoever tells a turn that its run has begun, and what the turn waits for.
pub(crate) fn beginning() -> (oneshot::Sender<()>, Begun) {
    let (tell, told) = oneshot::channel();
    let begun = async move {
        // Where nobody will tell any more, the turn is about to be dropped.
        if told.await.is_err() {
            pending::<()>().await;
        }
    };
    (tell, Box::pin(begun))
}

/// Waits until a run has begun, and lets its turn go on meanwhile as far as it may. Says how the turn ended, if
/// it has by then.
pub(crate) async fn alongside<T, E>(
    begins: impl Future<Output = Result<T, E>>,
    turn: &mut Turn,
) -> Result<Option<Ending>, E> {
    let (mut begins, mut early) = (pin!(begins), None);
    poll_fn(|context| {
        if let Poll::Ready(begun) = begins.as_mut().poll(context) {
            return Poll::Ready(begun.map(|_| early.take()));
        }
        if early.is_none()
            && let Poll::Ready(ending) = turn.as_mut().poll(context)
        {
            early = Some(ending);
        }
        Poll::Pending
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::task::{Context, Waker};

    /// What a commit comes to when it is asked for the second time.
    async fn later(comes_to: Result<(), &'static str>) -> Result<(), &'static str> {
        let mut asked = false;
        poll_fn(
            |_| if std::mem::replace(&mut asked, true) { Poll::Ready(()) } else { Poll::Pending },
        )
        .await;
        comes_to
    }

    /// A turn that counts how far it came: one when it has looked around, two when its run had begun.
    fn turn(steps: &Arc<AtomicU32>, begun: Begun) -> Turn {
        let steps = Arc::clone(steps);
        Box::pin(async move {
            steps.fetch_add(1, Ordering::Relaxed);
            begun.await;
            steps.fetch_add(1, Ordering::Relaxed);
            Ending::Interrupted
        })
    }

    fn polled<T>(future: impl Future<Output = T>, times: usize) -> Option<T> {
        let (mut future, context) = (pin!(future), &mut Context::from_waker(Waker::noop()));
        let mut polls = (0..times).map(|_| future.as_mut().poll(context));
        polls.find_map(|poll| match poll {
            Poll::Ready(came) => Some(came),
            Poll::Pending => None,
        })
    }

    #[test]
    fn a_turn_looks_around_while_its_run_begins_and_goes_on_when_it_has() {
        let (steps, (tell, begun)) = (Arc::default(), beginning());
        let mut turn = turn(&steps, begun);
        assert_eq!(polled(alongside(later(Ok(())), &mut turn), 2), Some(Ok(None)));
        assert_eq!(steps.load(Ordering::Relaxed), 1);
        tell.send(()).unwrap();
        assert_eq!(polled(turn, 1), Some(Ending::Interrupted));
        assert_eq!(steps.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_turn_whose_run_could_not_begin_goes_no_further() {
        let (steps, (tell, begun)) = (Arc::default(), beginning());
        let mut turn = turn(&steps, begun);
        assert_eq!(polled(alongside(later(Err("stopped")), &mut turn), 2), Some(Err("stopped")));
        drop(tell);
        assert_eq!(polled(turn, 3), None);
        assert_eq!(steps.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_turn_that_ends_before_its_run_has_begun_has_ended() {
        let mut turn: Turn = Box::pin(std::future::ready(Ending::Interrupted));
        let ended = polled(alongside(later(Ok(())), &mut turn), 2);
        assert_eq!(ended, Some(Ok(Some(Ending::Interrupted))));
        let mut failed: Turn = Box::pin(std::future::ready(Ending::Interrupted));
        assert_eq!(polled(alongside(later(Err("no")), &mut failed), 2), Some(Err("no")));
    }
}
