//! The service: the store, and the world for time.

use std::sync::Arc;

use ::tool::Tool;
use store::Store;
use world::World;

use crate::tool::{RecordObservations, UpdateReport};

/// The reports and notes of the agents of a home.
#[derive(Clone)]
pub struct Memory {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
}

impl Memory {
    /// The reports and notes in this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, world: Arc<dyn World>) -> Memory {
        Memory { store, world }
    }

    /// The tools by which agents write them.
    #[must_use]
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        vec![Arc::new(RecordObservations(self.clone())), Arc::new(UpdateReport(self.clone()))]
    }
}
