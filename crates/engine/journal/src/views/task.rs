//! One task with all that belongs to it.

use types::{
    At, Checklist, ChecklistId, ChecklistItem, Day, Due, ItemId, RecordId, Relation, Task, TaskId,
};

use crate::desk::{Desk, Loaded, typed};
use crate::{Error, Journal};

use super::names::Names;

/// A task as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskView {
    /// Its id.
    pub id: TaskId,
    /// What it says.
    pub task: Task,
    /// The name of its category.
    pub category: String,
    /// The names of its labels.
    pub labels: Vec<String>,
    /// When it is due, as one says it today.
    pub due_words: Option<String>,
    /// It should have been done by now.
    pub overdue: bool,
    /// How long it should take, as one says it.
    pub estimate_words: Option<String>,
    /// How often it was written.
    pub revision: u64,
    /// When it was made.
    pub created_at: At,
    /// When it last changed.
    pub updated_at: At,
    /// How many items of its checklists are done, and how many there are.
    pub progress: (usize, usize),
    /// Its checklists; only of a task that is shown by itself.
    pub checklists: Vec<ChecklistView>,
    /// Its relations to other tasks: how, the other task, and its title.
    pub relations: Vec<(String, TaskId, String)>,
}

/// A checklist as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChecklistView {
    /// Its id.
    pub id: ChecklistId,
    /// What people call it.
    pub title: String,
    /// Its items, in their order.
    pub items: Vec<ItemView>,
}

/// An item as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemView {
    /// Its id.
    pub id: ItemId,
    /// What is to be done.
    pub title: String,
    /// It is done.
    pub checked: bool,
}

/// A relation by name from either side.
const SIDES: [(Relation, &str, &str); 4] = [
    (Relation::Blocks, "blocks", "blocked_by"),
    (Relation::ParentOf, "parent_of", "part_of"),
    (Relation::FollowedBy, "followed_by", "follows"),
    (Relation::RelatesTo, "relates_to", "relates_to"),
];

impl Journal {
    /// The task that a text names, with its checklists and relations.
    ///
    /// # Errors
    /// If there is none.
    pub async fn task_get(&self, text: &str) -> Result<TaskView, Error> {
        let mut desk = self.desk();
        let task = desk.task(text).await?;
        let lists = desk.checklists(&task).await?;
        let items = desk.items(&lists).await?;
        let names = self.names().await?;
        let checklists = lists.iter().map(|list| checklist(list, &items)).collect();
        let relations = relations(&desk, &task).await?;
        let done = items.iter().filter(|item| item.body.checked).count();
        let progress = (done, items.len());
        let view = view(task, &names, &Now::at(&desk));
        Ok(TaskView { checklists, relations, progress, ..view })
    }
}

/// The relations of a task from its own side, in the order of the sides and then oldest first.
async fn relations(
    desk: &Desk,
    task: &Loaded<Task>,
) -> Result<Vec<(String, TaskId, String)>, Error> {
    let mut found: Vec<(&str, RecordId)> = Vec::new();
    for (relation, from_here, from_there) in SIDES {
        let mut links = desk.links(&task.id, &relation).await?;
        links.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
        found.extend(links.into_iter().map(|link| match link.from == task.id {
            true => (from_here, link.to),
            false => (from_there, link.from),
        }));
    }
    let mut relations = Vec::new();
    for (word, other) in found {
        let title = desk.read(other.clone(), typed::task).await?;
        let title = title.map_or_else(|| "(removed)".to_owned(), |task| task.body.title);
        relations.extend(other.as_str().parse().ok().map(|id| (word.to_owned(), id, title)));
    }
    Ok(relations)
}

/// The moment at which something is shown, and where.
pub(super) struct Now {
    at: At,
    zone: String,
    today: Day,
}

impl Now {
    pub(super) fn at(desk: &Desk) -> Now {
        Now { at: desk.now(), zone: desk.world.zone(), today: desk.today() }
    }

    fn words(&self, due: Due) -> String {
        let day = rules::when::show_day(due.day.date(), self.today.date());
        match due.time {
            Some(time) => format!("{day} {:02}:{:02}", time.hour(), time.minute()),
            None => day,
        }
    }
}

pub(super) fn view(task: Loaded<Task>, names: &Names, now: &Now) -> TaskView {
    let due = task.body.due;
    let late = due.is_some_and(|due| rules::day::is_over(due, now.at, &now.zone));
    TaskView {
        id: task.id(),
        category: names.category(&task.body.category_id),
        labels: task.body.labels.iter().map(|label| names.label(label)).collect(),
        due_words: due.map(|due| now.words(due)),
        overdue: late && !task.body.status.is_closed(),
        estimate_words: task.body.estimate_minutes.map(rules::when::show_minutes),
        revision: task.revision,
        created_at: task.created_at,
        updated_at: task.updated_at,
        progress: (0, 0),
        checklists: vec![],
        relations: vec![],
        task: task.body,
    }
}

fn checklist(list: &Loaded<Checklist>, items: &[Loaded<ChecklistItem>]) -> ChecklistView {
    let id: ChecklistId = list.id();
    let items = items
        .iter()
        .filter(|item| item.body.checklist_id == id)
        .map(|item| ItemView {
            id: item.id(),
            title: item.body.title.clone(),
            checked: item.body.checked,
        })
        .collect();
    ChecklistView { id, title: list.body.title.clone(), items }
}
