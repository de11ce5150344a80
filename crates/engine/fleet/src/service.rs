//! The service: the store, the world for time and ids, and what agents are made from.

use std::sync::Arc;

use store::Store;
use tokio::sync::Mutex;
use world::World;

use crate::Templates;

/// The agents of a home.
#[derive(Clone)]
pub struct Fleet {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
    pub(crate) templates: Templates,
    /// Held by whoever throws or lifts a switch.
    pub(crate) switching: Arc<Mutex<()>>,
}

impl Fleet {
    /// The agents in this store, made from these templates.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, world: Arc<dyn World>, templates: Templates) -> Fleet {
        Fleet { store, world, templates, switching: Arc::default() }
    }

    /// What agents are made from.
    #[must_use]
    pub fn templates(&self) -> &Templates {
        &self.templates
    }
}
