//! The service: the store, and the world for time.

use std::sync::Arc;

use ::tool::Tool;
use rules::facts::{Minds, Relevance};
use store::Store;
use world::World;

use crate::tool::{RecordObservations, UpdateReport};

/// The reports and notes of the agents of a home.
#[derive(Clone)]
pub struct Memory {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
    pub(crate) relevance: Minds,
}

impl Memory {
    /// The reports and notes in this store, of agents to whom all matters that they hear of.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, world: Arc<dyn World>) -> Memory {
        Memory { store, world, relevance: Arc::new(|_| Relevance::Everything) }
    }

    /// The same, where this says what matters to each.
    #[must_use]
    pub fn minding(self, relevance: Minds) -> Memory {
        Memory { relevance, ..self }
    }

    /// The tools by which agents write them.
    #[must_use]
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        vec![Arc::new(RecordObservations(self.clone())), Arc::new(UpdateReport(self.clone()))]
    }
}
