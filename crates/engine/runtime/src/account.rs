//! Who woke, why, what came of it and what it cost, and who rests now: told as it is committed.
//!
//! It follows what the agents' own followers are told, in the order of the commits. Nothing is asked while
//! nothing is committed.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use tokio::sync::watch;
use types::{Domain, Position, Problem, limits};

use crate::Runtime;
use crate::told::Seen;

/// An account of what agents do from a moment on.
pub struct Account {
    runtime: Runtime,
    /// The end of a run stirs, and a change of life is a change.
    stirs: watch::Receiver<u64>,
    grows: watch::Receiver<Position>,
    /// The last event that was told of, or needed not be.
    from: u64,
}

impl Runtime {
    /// An account of all that agents do from now on.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn account(&self) -> Result<Account, Problem> {
        let (stirs, grows) = (self.store.stirred(), self.store.watch(Domain::Agent));
        let newest = self.store.happenings(None, 1).await?;
        let from = newest.last().map_or(0, |(number, _)| *number);
        Ok(Account { runtime: self.clone(), stirs, grows, from })
    }
}

impl Account {
    /// What happened since it was last asked; waits until there is something to tell. After a failure it can be asked
    /// again, and misses nothing.
    ///
    /// # Errors
    /// If the store cannot read, or closes.
    pub async fn next(&mut self) -> Result<Vec<Seen>, Problem> {
        loop {
            // Before anything is read, so that what is written meanwhile is read next.
            self.stirs.borrow_and_update();
            self.grows.borrow_and_update();
            let before = self.from;
            let told = self.page().await?;
            if !told.is_empty() {
                return Ok(told);
            }
            if self.from == before && !self.something_stirs().await {
                return Err(store::StoreError::Closed.into());
            }
        }
    }

    async fn page(&mut self) -> Result<Vec<Seen>, Problem> {
        let limit = limits::ROWS_PER_READ_MAX;
        let events = self.runtime.store.happenings(Some(self.from), limit).await?;
        let mut told = Vec::new();
        for (number, event) in events {
            match self.runtime.seen(&event).await {
                Ok(one) => told.extend(one),
                Err(problem) if told.is_empty() => return Err(problem),
                // What was read is told first, and the rest is read again from here.
                Err(_) => break,
            }
            self.from = number;
        }
        Ok(told)
    }

    /// Whichever comes first; not, if the store closes.
    async fn something_stirs(&mut self) -> bool {
        let (mut stirs, mut grows) = (pin!(self.stirs.changed()), pin!(self.grows.changed()));
        let first = poll_fn(|context| match stirs.as_mut().poll(context) {
            Poll::Pending => grows.as_mut().poll(context),
            ready => ready,
        });
        first.await.is_ok()
    }
}
