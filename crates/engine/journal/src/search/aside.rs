//! Work that blocks, aside from whoever waits for it.

use std::sync::Arc;

use index::{Index, IndexError};
use tokio::sync::oneshot;
use types::{Code, Problem};

/// Does something with the index on a thread of its own, so that nobody else's work stands still.
pub(super) async fn aside<T: Send + 'static>(
    index: &Arc<dyn Index>,
    work: impl FnOnce(&dyn Index) -> Result<T, IndexError> + Send + 'static,
) -> Result<T, Problem> {
    let (done, answer) = oneshot::channel();
    let index = Arc::clone(index);
    let spawned = std::thread::Builder::new().name("index".to_owned()).spawn(move || {
        // Whoever asked may have gone away; then nobody is told.
        let _ = done.send(work(&*index));
    });
    let gone = |why: String| {
        Problem::new(Code::StoreIo, format!("the index could not be asked: {why}"), "try again")
    };
    spawned.map_err(|error| gone(error.to_string()))?;
    let answer = answer.await.map_err(|_| gone("its thread ended".to_owned()))?;
    Ok(answer?)
}
