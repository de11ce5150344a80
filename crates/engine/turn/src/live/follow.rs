//! Following a run.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use types::RunKey;

use super::held::Held;
use super::{Chunk, ChunkId};

/// Where turns are heard.
#[derive(Debug, Clone, Default)]
pub struct Live {
    held: Arc<Mutex<Held>>,
    told: Arc<Notify>,
}

impl Live {
    /// Follows a run, from the first piece that is still held after the one that was heard last. It need
    /// not have begun.
    #[must_use]
    pub fn follow(&self, run: RunKey, after: Option<ChunkId>) -> Following {
        Following { live: self.clone(), run, heard_in: None, after }
    }

    pub(super) fn held(&self) -> MutexGuard<'_, Held> {
        // What is held is for eyes: half of it is better than none.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Holds a piece and tells whoever follows.
    pub(super) fn tell(&self, chunk: Chunk) {
        self.held().hold(chunk);
        self.told.notify_waiters();
    }

    /// From now on, whoever follows a run hears the turn that has taken up its words.
    pub(crate) fn take_up(&self, run: RunKey, by: RunKey) {
        self.held().take_up(run, by);
        self.told.notify_waiters();
    }
}

/// Somebody who follows a run.
#[derive(Debug)]
pub struct Following {
    live: Live,
    run: RunKey,
    /// In whose turn it was last heard.
    heard_in: Option<RunKey>,
    after: Option<ChunkId>,
}

impl Following {
    /// The next piece, if it is there.
    pub fn try_next(&mut self) -> Option<Chunk> {
        let held = self.live.held();
        let (run, from) = held.heard_in(self.run);
        if self.heard_in.is_some_and(|before| before != run) {
            // Numbers of one run mean nothing in another.
            self.after = None;
        }
        let chunk = held.after(&run, self.after.max(from));
        drop(held);
        self.heard_in = Some(run);
        self.after = chunk.as_ref().map(|chunk| chunk.id).or(self.after);
        chunk
    }

    /// Waits for the next piece. Whoever gives up waiting has lost nothing.
    pub async fn next(&mut self) -> Chunk {
        let told = Arc::clone(&self.live.told);
        loop {
            // Before it is looked, so that nothing falls between the two.
            let told = told.notified();
            if let Some(chunk) = self.try_next() {
                return chunk;
            }
            told.await;
        }
    }
}
