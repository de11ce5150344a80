//! The service: the store, the world for time, and how much a session holds.

use std::sync::Arc;

use rules::session::Capacity;
use store::Store;
use types::{AuditDraft, Author, Commit, Domain, Guard, Write};
use world::World;

use crate::Error;

/// The sessions of a home.
#[derive(Clone)]
pub struct Sessions {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
    pub(crate) capacity: Capacity,
    pub(crate) least: Capacity,
}

impl Sessions {
    /// The sessions in this store: how much one holds at most, and at least, so that a turn fits.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        world: Arc<dyn World>,
        capacity: Capacity,
        least: Capacity,
    ) -> Sessions {
        Sessions { store, world, capacity, least }
    }

    /// One commit of the operator's, on the condition that nothing moved meanwhile.
    pub(crate) async fn commit(
        &self,
        step: &'static str,
        guards: Vec<Guard>,
        writes: Vec<Write>,
        audit: AuditDraft,
    ) -> Result<(), Error> {
        let now = self.world.now();
        let commit = Commit {
            guards,
            audit: vec![audit],
            ..Commit::new(Domain::Agent, Author::Operator, now, writes).named(step)
        };
        Ok(self.store.commit(commit).await?.done()?)
    }
}
