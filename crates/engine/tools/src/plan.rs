//! Asking a tool what it would do, and what the gate has to know of that.

use std::collections::BTreeSet;

use policy::{Plan, Written};
use tool::{Failure, Planned, Target};
use types::{Body, CategoryId, Code, Write, limits};

use crate::bounded::bounded;
use crate::registry::Entry;
use crate::work::Work;

/// What a tool would do for a call, and all that it looked at, as the gate judges it.
pub(crate) async fn plan(entry: &Entry, work: &Work) -> (Plan, Result<Planned, Failure>) {
    let (targets, planned) = entry.tool.plan(&work.call.arguments, &work.call.scope).await;
    let planned = planned.and_then(|planned| kept(entry, planned));
    (looked_at(&targets, planned.as_ref().ok()), planned)
}

fn looked_at(targets: &BTreeSet<Target>, planned: Option<&Planned>) -> Plan {
    let mut plan = Plan {
        targets: targets.iter().map(|target| target.category.clone()).collect(),
        ..Plan::default()
    };
    if let Some(planned) = planned {
        plan.destinations.clone_from(&planned.destinations);
        // What a record says of itself counts, whether the tool named it or not.
        plan.destinations.extend(planned.writes.iter().filter_map(goes_to));
        plan.writes = planned.writes.iter().map(written).collect();
    }
    plan
}

/// The category that a written record lies in by its own word. A day plan belongs to none as a whole:
/// it is written anew with the blocks of others in it.
fn goes_to(write: &Write) -> Option<CategoryId> {
    let Write::Record(draft) = write else { return None };
    match &draft.body {
        Body::Task(task) => Some(task.category_id.clone()),
        Body::Entry(entry) => Some(entry.category_id.clone()),
        _ => None,
    }
}

fn written(write: &Write) -> Written {
    match write {
        Write::Record(draft) => draft.body.body_type().map_or(Written::Other, Written::Record),
        Write::Link(_) => Written::Link,
        _ => Written::Other,
    }
}

/// Holds a tool to the answer it promised, and the answer to its limit.
fn kept(entry: &Entry, planned: Planned) -> Result<Planned, Failure> {
    let name = entry.contract().name;
    if !entry.output.allows(&planned.answer) {
        let message = format!("{name} has an answer that its contract does not promise");
        let hint = "do without it; the tool has to be mended";
        return Err(Failure::of(Code::InvalidRecord, message, hint));
    }
    let answer = bounded(&planned.answer, limits::TOOL_ANSWER_BYTES_MAX);
    Ok(Planned { answer, ..planned })
}
