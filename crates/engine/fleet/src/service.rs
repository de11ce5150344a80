//! The service: the store, and the world for time and ids.

use std::sync::Arc;

use store::Store;
use world::World;

/// The agents of a home.
#[derive(Clone)]
pub struct Fleet {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
}

impl Fleet {
    /// The agents in this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, world: Arc<dyn World>) -> Fleet {
        Fleet { store, world }
    }
}
