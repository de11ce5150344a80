//! The service: the store, the world for time, and what is configured.

use std::sync::Arc;

use store::Store;
use types::{AuditDraft, Author, Commit, Domain, Guard, ModelRef, Write};
use world::World;

use crate::{Error, Known, Statement};

/// What a person agreed to, in a home.
#[derive(Clone)]
pub struct Consent {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
    pub(crate) known: Arc<Known>,
}

impl Consent {
    /// The receipts in this store, for what is configured.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, world: Arc<dyn World>, known: Known) -> Consent {
        Consent { store, world, known: Arc::new(known) }
    }

    /// What is configured.
    #[must_use]
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// What would be agreed to.
    ///
    /// # Errors
    /// If the model is not one that is configured, or needs no consent.
    pub fn statement(&self, model: &str) -> Result<Statement, Error> {
        let model = named(model)?;
        Ok(Statement::of(&model, self.known.terms(&model)?))
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

/// A model as somebody typed it.
pub(crate) fn named(text: &str) -> Result<ModelRef, Error> {
    text.parse().map_err(|_| Error::NotAModel { text: text.to_owned() })
}
