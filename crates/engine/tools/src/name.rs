//! Naming a call before it is made.

use std::collections::BTreeSet;

use rules::operation::{Action, TargetRef, action_id, id_in_run, id_of_given_up};
use rules::reserve::Reservation;
use tool::{Call, Failure, Planned, Target};
use types::{Domain, OperationId};

use crate::Executor;
use crate::abreast::{Went, abreast};
use crate::in_time::is_given_up;

/// The name of a call.
#[derive(Debug, Clone)]
pub struct Named {
    /// What it would change is called so.
    pub operation: OperationId,
    /// What it would change, if that is in the journal, or that its tool was given up. What it would do among the
    /// agent's own records may bear the name, and is planned when that is known.
    pub drafted: Option<Drafted>,
}

/// What a call was named by: the records that were looked at, and what it would do to the journal. Whoever
/// carries the call out at once need not look again: a plan rests on what it saw, and is made anew if any
/// of that has moved by the time it is written. Nobody waits again for a tool that was given up.
#[derive(Debug, Clone)]
pub struct Drafted {
    pub(crate) operation: OperationId,
    pub(crate) targets: BTreeSet<Target>,
    pub(crate) planned: Result<Planned, Failure>,
}

impl Executor {
    /// The names of the calls of one answer, in their order. Tools are asked side by side, so that nobody waits for one
    /// that does not answer longer than for all of them.
    pub async fn name_all(&self, calls: &[Call]) -> Vec<Option<Named>> {
        // Nothing is written, so that none stands in another's way.
        let calls = calls.iter().map(|call| (Reservation::default(), call)).collect();
        let name = |call, _| async move { Ok(Went::Over(self.name(call).await)) };
        abreast(calls, name).await.expect("a call has a name or none, and nothing fails")
    }

    /// The name of what a call would change: its tool, arguments and scope, and the records it rests on
    /// as they are now. So a retry has the same name, and the same words later another. A call that
    /// changes nothing has none; neither has one that the gate will not let as far as its plan.
    pub async fn name(&self, call: &Call) -> Option<Named> {
        let entry = self.registry.find(&call.tool)?;
        let nameable = entry.contract().mutates() && !call.preview;
        if !nameable || !entry.input.allows(&call.arguments) {
            return None;
        }
        // A plan that fails has looked at the same records, and is named by them.
        let (looked_at, planned) = self.ask_tool(&entry, call).await;
        let targets: BTreeSet<TargetRef> = looked_at
            .iter()
            .map(|target| TargetRef { record: target.record.clone(), revision: target.revision })
            .collect();
        let action = Action {
            verb: entry.contract().name,
            arguments: &call.arguments,
            scope: &call.scope,
            targets: &targets,
        };
        let action = action_id(&action).ok()?;
        let given_up = planned.as_ref().is_err_and(is_given_up);
        let operation = match given_up {
            true => id_of_given_up(&call.run, &action, &call.id),
            false => id_in_run(&call.run, &action),
        };
        let known = match &planned {
            // One that writes nothing has no guards that would see what it rests on move.
            Ok(planned) => planned.domain == Domain::Journal && !planned.writes.is_empty(),
            Err(_) => given_up,
        };
        let drafted = known.then_some(Drafted { operation, targets: looked_at, planned });
        Some(Named { operation, drafted })
    }
}
