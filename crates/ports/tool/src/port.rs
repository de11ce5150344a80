//! The trait.

use std::collections::BTreeSet;
use std::pin::Pin;

use types::ActionType;

use crate::{Call, Contract, Failure, Manner, Planned, Target};

/// A plan being made, with everything that was looked at on the way: the gate judges that even if the
/// plan failed, so that a failure tells nobody what lies outside of its scope.
pub type Planning<'a> =
    Pin<Box<dyn Future<Output = (BTreeSet<Target>, Result<Planned, Failure>)> + Send + 'a>>;

/// Something that an agent can ask for.
pub trait Tool: Send + Sync {
    /// What it promises.
    fn contract(&self) -> &Contract;

    /// What kind of thing a call of it does, unless it is only shown.
    fn action(&self) -> ActionType {
        ActionType::ToolCall
    }

    /// How a call of it is carried out beside others of the same answer.
    fn manner(&self) -> Manner {
        Manner::default()
    }

    /// Plans a call for somebody who may see the categories of its scope. It reads and writes nothing.
    /// The arguments have passed the contract's schema. Who takes longer than its manner says is given up: the future
    /// is dropped wherever it stands.
    fn plan<'a>(&'a self, call: &'a Call) -> Planning<'a>;

    /// What speaks against a call that writes its agent's own records, by what else the same answer of a
    /// model asks for. All of it is planned before any of it is there to be read.
    fn objection(&self, _call: &Call, _answer: &[Call]) -> Option<Failure> {
        None
    }
}
