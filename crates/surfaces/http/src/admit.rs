//! Letting connections in.

use std::io;
use std::pin::pin;

use tokio::task::JoinSet;

use crate::limits::{AFTER_FAILURE, CONNECTIONS_MAX};
use crate::stop::Stop;

/// Takes connections, each in a task of its own, until the server stops; then waits for those that are
/// in. Dropping it ends them.
pub(crate) async fn admit<S, F>(
    accept: impl AsyncFn() -> io::Result<S>,
    serve: impl Fn(S) -> F,
    stop: Stop,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let mut inside = JoinSet::new();
    let mut over = pin!(stop.lingered());
    loop {
        // Each arm may be dropped: a connection that was not taken stays in the system's queue.
        tokio::select! {
            () = &mut over => break,
            // One that panicked has taken its own connection along and nothing else.
            Some(_) = inside.join_next() => {}
            taken = accept(), if inside.len() < CONNECTIONS_MAX => match taken {
                Ok(stream) => drop(inside.spawn(serve(stream))),
                Err(_) => tokio::time::sleep(AFTER_FAILURE).await,
            },
        }
    }
    while inside.join_next().await.is_some() {}
}
