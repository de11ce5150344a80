//! The service: the store, and the world for time.

use std::sync::Arc;

use store::Store;
use world::World;

/// What decides who runs, when and why.
#[derive(Clone)]
pub struct Waker {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
}

impl Waker {
    /// The wakes of this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, world: Arc<dyn World>) -> Waker {
        Waker { store, world }
    }
}
