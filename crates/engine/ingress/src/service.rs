//! The service: the store, the world for time and ids, and the limits.

use std::sync::Arc;

use rules::session::Capacity;
use store::Store;
use types::{SchedulerPolicy, limits};
use world::World;

/// The door.
#[derive(Clone)]
pub struct Ingress {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
    pub(crate) policy: SchedulerPolicy,
    pub(crate) capacity: Capacity,
}

impl Ingress {
    /// The door of this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, world: Arc<dyn World>, policy: SchedulerPolicy) -> Ingress {
        Ingress { store, world, policy, capacity: Arc::new(|_| limits::CONTEXT_TOKENS) }
    }

    /// The same, where sessions hold so much.
    #[must_use]
    pub fn with_capacity(self, capacity: Capacity) -> Ingress {
        Ingress { capacity, ..self }
    }
}
