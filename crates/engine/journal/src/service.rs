//! The service: the store, and the world for time and ids.

use std::sync::Arc;

use serde_json::Value;
use store::Store;
use types::{Commit, Outcome};
use world::World;

use crate::Error;

/// The journal of a home.
#[derive(Clone)]
pub struct Journal {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
}

impl Journal {
    /// The journal in this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, world: Arc<dyn World>) -> Journal {
        Journal { store, world }
    }

    /// Commits an operation and returns its answer, now or from the first time.
    pub(crate) async fn carry_out(&self, commit: Commit) -> Result<Value, Error> {
        let result = commit.operation.as_ref().map(|operation| operation.result.clone());
        match self.store.commit(commit).await? {
            Outcome::Applied(_) => Ok(result.unwrap_or_default()),
            Outcome::Idempotent(recorded) => Ok(recorded.result),
            Outcome::Conflict(conflict) => Err(conflict.into()),
        }
    }
}
