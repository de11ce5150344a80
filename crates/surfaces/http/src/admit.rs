//! Letting connections in.

use std::io;
use std::pin::pin;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::limits::{AFTER_FAILURE, CONNECTIONS_MAX, FULL};
use crate::stop::Stop;

/// Takes connections, each in a task of its own, until the server stops; then waits for those that are
/// in. Dropping it ends them. While it is full, room is made for whoever comes; if that cannot be, they are told so and
/// turned away: to be kept waiting without a word looks like a server that is dead.
pub(crate) async fn admit<S, F>(
    accept: impl AsyncFn() -> io::Result<S>,
    serve: impl Fn(S) -> F,
    (make_room, turn_away): (impl Fn() -> bool, impl AsyncFn(S)),
    stop: Stop,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let mut inside = JoinSet::new();
    let mut over = pin!(stop.lingered());
    // Who comes first while it is full is kept for a moment, and whoever comes then is told at once.
    let mut patience = FULL;
    loop {
        // Each arm may be dropped: a connection that was not taken stays in the system's queue.
        tokio::select! {
            () = &mut over => break,
            // One that panicked has taken its own connection along and nothing else.
            Some(_) = inside.join_next() => patience = FULL,
            taken = accept(), if inside.len() < CONNECTIONS_MAX => match taken {
                Ok(stream) => drop(inside.spawn(serve(stream))),
                Err(_) => tokio::time::sleep(AFTER_FAILURE).await,
            },
            taken = accept(), if inside.len() >= CONNECTIONS_MAX => match taken {
                Ok(stream) => {
                    let wait = if make_room() { FULL } else { patience };
                    if timeout(wait, inside.join_next()).await.is_ok() {
                        patience = FULL;
                        drop(inside.spawn(serve(stream)));
                    } else {
                        turn_away(stream).await;
                        patience = Duration::ZERO;
                    }
                }
                Err(_) => tokio::time::sleep(AFTER_FAILURE).await,
            },
        }
    }
    while inside.join_next().await.is_some() {}
}
