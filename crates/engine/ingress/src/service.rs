//! The service: the store, the world for time and ids, and the limits.

use std::sync::Arc;

use store::Store;
use types::SchedulerPolicy;
use world::World;

/// The door.
#[derive(Clone)]
pub struct Ingress {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
    pub(crate) policy: SchedulerPolicy,
}

impl Ingress {
    /// The door of this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, world: Arc<dyn World>, policy: SchedulerPolicy) -> Ingress {
        Ingress { store, world, policy }
    }
}
