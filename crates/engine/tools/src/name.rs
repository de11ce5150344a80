//! Naming a call before it is made.

use std::collections::BTreeSet;

use rules::operation::{Action, TargetRef, action_id, id_in_run};
use tool::{Call, Planned, Target};
use types::{Domain, OperationId};

use crate::Executor;

/// The name of a call.
#[derive(Debug, Clone)]
pub struct Named {
    /// What it would change is called so.
    pub operation: OperationId,
    /// What it would change, if that is in the journal. What it would do among the agent's own records may
    /// bear the name, and is planned when that is known.
    pub drafted: Option<Drafted>,
}

/// What a call was named by: the records that were looked at, and what it would do to the journal. Whoever
/// carries the call out at once need not look again: a plan rests on what it saw, and is made anew if any
/// of that has moved by the time it is written.
#[derive(Debug, Clone)]
pub struct Drafted {
    pub(crate) operation: OperationId,
    pub(crate) targets: BTreeSet<Target>,
    pub(crate) planned: Planned,
}

impl Executor {
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
        let (looked_at, planned) = entry.tool.plan(call).await;
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
        let operation = id_in_run(&call.run, &action_id(&action).ok()?);
        let drafted = planned
            .ok()
            // One that writes nothing has no guards that would see what it rests on move.
            .filter(|planned| planned.domain == Domain::Journal && !planned.writes.is_empty())
            .map(|planned| Drafted { operation, targets: looked_at, planned });
        Some(Named { operation, drafted })
    }
}
