//! Relations between tasks.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::json;
use types::{Code, Domain, RecordId, Relation, Task, limits};

use crate::Error;
use crate::desk::{Desk, Loaded, typed};
use crate::plan::Plan;
use crate::verb::Verb;

/// The ways in which one task can be related to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Way {
    Blocks,
    ParentOf,
    FollowedBy,
    RelatesTo,
}

impl Way {
    fn relation(self) -> Relation {
        match self {
            Way::Blocks => Relation::Blocks,
            Way::ParentOf => Relation::ParentOf,
            Way::FollowedBy => Relation::FollowedBy,
            Way::RelatesTo => Relation::RelatesTo,
        }
    }

    /// Whether one of the two comes first. Otherwise both sides mean the same.
    fn is_directed(self) -> bool {
        self != Way::RelatesTo
    }
}

/// Relates a task to another one. It is written once and read from both sides.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RelateTasks {
    from_task_id: String,
    relation: Way,
    to_task_id: String,
}

impl Verb for RelateTasks {
    const NAME: &'static str = "relate_tasks";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let from = desk.task(&self.from_task_id).await?;
        let to = desk.task(&self.to_task_id).await?;
        let relation = self.relation.relation();
        if from.id == to.id {
            let message = "a task cannot be related to itself";
            return Err(Error::refuse(Code::CircularRelation, message, "name another task"));
        }
        let mut plan = Plan::about(from.id.clone());
        if between(desk, &from, self.relation, &to).await?.is_empty() {
            if self.relation.is_directed() {
                no_circle(desk, (&from.id, &relation, &to.id), &[]).await?;
            }
            plan.link(&from.id, relation, &to.id);
        }
        Ok(plan.answering(answer(&from, self.relation, &to)))
    }
}

/// Takes a relation between two tasks away.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct UnrelateTasks {
    from_task_id: String,
    relation: Way,
    to_task_id: String,
}

impl Verb for UnrelateTasks {
    const NAME: &'static str = "unrelate_tasks";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let from = desk.task(&self.from_task_id).await?;
        let to = desk.task(&self.to_task_id).await?;
        let mut plan = Plan::about(from.id.clone());
        for (one, other) in between(desk, &from, self.relation, &to).await? {
            plan.unlink(&one, self.relation.relation(), &other);
        }
        Ok(plan.answering(answer(&from, self.relation, &to)))
    }
}

fn answer(from: &Loaded<Task>, way: Way, to: &Loaded<Task>) -> serde_json::Value {
    let relation = way.relation();
    json!({ "fromTaskId": from.id, "relation": relation.as_str(), "toTaskId": to.id })
}

/// The links of a relation that there are between two tasks.
async fn between(
    desk: &Desk,
    from: &Loaded<Task>,
    way: Way,
    to: &Loaded<Task>,
) -> Result<Vec<(RecordId, RecordId)>, Error> {
    let links = desk.links(&from.id, &way.relation()).await?;
    let meant = |one: &RecordId, other: &RecordId| {
        (*one == from.id && *other == to.id)
            || (!way.is_directed() && *one == to.id && *other == from.id)
    };
    let pairs = links.into_iter().map(|link| (link.from, link.to));
    Ok(pairs.filter(|(one, other)| meant(one, other)).collect())
}

/// Refuses if the second task comes before the first already, by however many steps of what there is or
/// comes along with it. It looks from the first backwards: a task has many parts, but few that it is a
/// part of.
pub(crate) async fn no_circle(
    desk: &Desk,
    (from, relation, to): (&RecordId, &Relation, &RecordId),
    coming: &[(&RecordId, &RecordId)],
) -> Result<(), Error> {
    let mut seen: BTreeSet<RecordId> = BTreeSet::from([from.clone()]);
    let mut step = vec![from.clone()];
    for _ in 0..limits::RELATION_DEPTH_MAX {
        let mut before = Vec::new();
        for task in step {
            let along = coming.iter().filter(|(_, to)| **to == task);
            before.extend(along.map(|(from, _)| (*from).clone()));
            let links = desk.store.links_to(Domain::Journal, task, relation.clone()).await?;
            before.extend(links.into_iter().map(|link| link.from));
        }
        before.retain(|task| seen.insert(task.clone()));
        if seen.contains(to) {
            break;
        }
        if before.is_empty() {
            return Ok(());
        }
        step = before;
    }
    let (first, second) = (called(desk, to).await?, called(desk, from).await?);
    let message = format!("{first} comes before {second} already");
    let hint = "`dormouse task show` shows its relations; take one of them away first";
    Err(Error::refuse(Code::CircularRelation, message, hint))
}

/// A task by its title and its id. One that an undo brings back is called by what it was.
async fn called(desk: &Desk, id: &RecordId) -> Result<String, Error> {
    let record = desk.store.record(Domain::Journal, id.clone()).await?;
    let task = record.and_then(|record| typed::task(record.body));
    Ok(task.map_or_else(|| id.to_string(), |task| format!("{:?} ({id})", task.title)))
}
