//! The trait.

use std::collections::BTreeSet;
use std::pin::Pin;

use serde_json::Value;
use types::CategoryId;

use crate::{Contract, Failure, Planned, Target};

/// A plan being made, with everything that was looked at on the way: the gate judges that even if the
/// plan failed, so that a failure tells nobody what lies outside of its scope.
pub type Planning<'a> =
    Pin<Box<dyn Future<Output = (BTreeSet<Target>, Result<Planned, Failure>)> + Send + 'a>>;

/// Something that an agent can ask for.
pub trait Tool: Send + Sync {
    /// What it promises.
    fn contract(&self) -> &Contract;

    /// Plans a call with these arguments for somebody who may see these categories. It reads and writes
    /// nothing. The arguments have passed the contract's schema.
    fn plan<'a>(&'a self, arguments: &'a Value, scope: &'a BTreeSet<CategoryId>) -> Planning<'a>;
}
