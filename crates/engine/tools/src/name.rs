//! Naming a call before it is made.

use std::collections::BTreeSet;

use rules::operation::{Action, TargetRef, action_id, id_in_run};
use tool::Call;
use types::OperationId;

use crate::Executor;

impl Executor {
    /// The name of what a call would change: its tool, arguments and scope, and the records it rests on
    /// as they are now. So a retry has the same name, and the same words later another. A call that
    /// changes nothing has none; neither has one that the gate will not let as far as its plan.
    pub async fn name(&self, call: &Call) -> Option<OperationId> {
        let entry = self.registry.find(&call.tool)?;
        let nameable = entry.contract().mutates() && !call.preview;
        if !nameable || !entry.input.allows(&call.arguments) {
            return None;
        }
        // A plan that fails has looked at the same records, and is named by them.
        let (looked_at, _) = entry.tool.plan(call).await;
        let targets: BTreeSet<TargetRef> = looked_at
            .into_iter()
            .map(|target| TargetRef { record: target.record, revision: target.revision })
            .collect();
        let action = Action {
            verb: entry.contract().name,
            arguments: &call.arguments,
            scope: &call.scope,
            targets: &targets,
        };
        Some(id_in_run(&call.run, &action_id(&action).ok()?))
    }
}
