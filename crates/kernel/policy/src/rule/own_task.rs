//! Who tends a task changes nothing beside it.

use types::{Code, TaskId};

use crate::{Denial, Plan, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "own_task";

/// The task, what belongs to it, what links it with others, and a task that the plan itself makes and
/// links with it. What a record was counts as much as what it would be, so nothing is taken from
/// another task either. The agent's own records are no part of the journal.
pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Verdict {
    let Some(own) = request.task else { return Verdict::Pass };
    let Some(plan) = snapshot.plan else { return Verdict::NeedsPlan };
    let belongs = |task: &TaskId| task == own || follows(plan, own, task);
    if plan.tasks.iter().all(|tasks| tasks.iter().any(belongs)) {
        return Verdict::Pass;
    }
    let tool = request.terms.tool;
    let message = format!("{tool} would change what does not belong to {own}, this agent's task");
    let hint = "keep to the task and what belongs to it, and say in the report what others need";
    Verdict::Deny(Denial::of(Code::OutOfScope, message, hint))
}

fn follows(plan: &Plan, own: &TaskId, task: &TaskId) -> bool {
    plan.made.iter().any(|(made, linked)| made == task && linked == own)
}
