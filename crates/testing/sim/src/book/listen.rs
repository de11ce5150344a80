//! Who has to hear of a change: the plain reading of what subscriptions say.

use types::{Compare, Predicate, RecordId, Subscription, Task, Token};

/// Whether a subscription wants to hear of a change of a task.
pub(crate) fn wants(
    subscription: &Subscription,
    id: &RecordId,
    before: Option<&Task>,
    after: Option<&Task>,
) -> bool {
    let sides = || before.into_iter().chain(after);
    let carried = |token: &Token| sides().any(|task| speaks_of(token, id, task));
    let meets = |predicate: &Predicate| {
        predicate.kind == "TASK" && sides().any(|task| holds(predicate, task))
    };
    subscription.active
        && subscription.schedule.is_none()
        && subscription.tokens.iter().any(carried)
        && subscription.predicate.as_ref().is_none_or(meets)
}

fn speaks_of(token: &Token, id: &RecordId, task: &Task) -> bool {
    let mine = [
        "semanticKey|-|TASK".to_owned(),
        format!("entityId|-|{id}"),
        format!("subtypeToken|TASK|category={}", task.category_id),
        format!("subtypeToken|TASK|status={}", task.status.as_str()),
        format!("subtypeToken|TASK|priority={}", task.priority.as_str()),
    ];
    mine.iter().any(|key| key == token.key())
}

fn holds(predicate: &Predicate, task: &Task) -> bool {
    predicate.all.iter().all(|condition| {
        let found = match condition.property.as_str() {
            "category" => task.category_id.as_str(),
            "status" => task.status.as_str(),
            "priority" => task.priority.as_str(),
            _ => return false,
        };
        let value = condition.value.as_str();
        match condition.compare {
            Compare::Equal => found == value,
            Compare::NotEqual => found != value,
            Compare::AtMost => found <= value,
            Compare::AtLeast => found >= value,
        }
    })
}

/// Whether a keeper has something to decide: a task came or went, or its status changed.
pub(crate) fn relevant(before: Option<&Task>, after: Option<&Task>) -> bool {
    match (before, after) {
        (Some(before), Some(after)) => before.status != after.status,
        (None, None) => false,
        _ => true,
    }
}

/// Whether somebody who tends a task has something to decide: it came or went, or something changed
/// that the simulator changes.
pub(crate) fn worth_a_turn(before: Option<&Task>, after: Option<&Task>) -> bool {
    let told =
        |task: &Task| (task.title.clone(), task.status, task.priority, task.category_id.clone());
    before.map(told) != after.map(told)
}
