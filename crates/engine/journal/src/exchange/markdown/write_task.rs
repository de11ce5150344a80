//! Writing a task with all that lies under it.

use std::collections::BTreeSet;

use serde_json::json;
use types::{Body, BodyType, Checklist, ChecklistItem, TaskId, TaskLabelId, TimeEntry};

use crate::exchange::archive::Piece;

use super::detail::Details;
use super::escape::escape;
use super::seen::{self, fields};
use super::stamp;
use super::write::{Page, object};

impl<'a> Page<'a> {
    pub(super) fn task(&mut self, piece: &'a Piece) {
        let Body::Task(task) = &piece.body else { return };
        let names = task.labels.iter().map(|label| self.names.get(&label.into()).cloned());
        let names: Vec<String> = names.collect::<Option<_>>().unwrap_or_default();
        let line = Details::of(task, names).line();
        let details = line.as_deref().and_then(Details::read).unwrap_or_default();
        let labels = details.labels.iter().map(|name| self.labels.get(&rules::mark::name(name)));
        let labels: BTreeSet<TaskLabelId> = labels.flatten().cloned().collect();
        let ticked = task.status.is_closed();
        let (title, category) = (task.title.clone(), task.category_id.clone());
        let seen = seen::task(title, ticked, &details, category, labels);
        let mut seen = fields(&seen);
        if !ticked && task.closed_at.is_some() {
            // A reader takes an empty box for a task that was opened again, unless it is told.
            seen.remove("status");
        }
        let about = self.about("task", piece, &seen, &fields(task));
        self.line(&format!("- [{}] {} {about}", tick(ticked), escape(&task.title)));
        if let Some(line) = line {
            self.line(&format!("  - {line}"));
        }
        self.checklists(piece);
        for time in self.under(&piece.id, BodyType::TimeEntry) {
            self.time(time);
        }
        self.entries(&piece.id, "  ");
    }

    fn checklists(&mut self, task: &Piece) {
        let mut lists = self.under(&task.id, BodyType::Checklist);
        lists.sort_by_key(|list| (list.created_at, list.id.clone()));
        for piece in lists {
            let Body::Checklist(list) = &piece.body else { continue };
            let about = self.about("checklist", piece, &fields(list), &fields(list));
            self.line(&format!("  - {} {about}", escape(&list.title)));
            self.items(piece, list);
        }
    }

    fn items(&mut self, list: &Piece, of: &Checklist) {
        let mut items: Vec<(&ChecklistItem, &Piece)> = Vec::new();
        for piece in self.under(&list.id, BodyType::ChecklistItem) {
            if let Body::ChecklistItem(item) = &piece.body {
                items.push((item, piece));
            }
        }
        items.sort_by_key(|(item, piece)| (item.rank.clone(), piece.id.clone()));
        let task: &TaskId = &of.task_id;
        for (item, piece) in items {
            let list = &item.checklist_id;
            let seen = seen::item(&item.title, item.checked, list, task);
            let about = self.about("item", piece, &seen, &fields(item));
            self.line(&format!("    - [{}] {} {about}", tick(item.checked), escape(&item.title)));
        }
    }

    fn time(&mut self, piece: &'a Piece) {
        let Body::TimeEntry(time) = &piece.body else { return };
        let seen = object(json!({ "task_id": time.task_id }));
        let about = self.about("time", piece, &seen, &fields(time));
        self.line(&format!("  - {} {about}", spent(time)));
    }
}

fn tick(done: bool) -> char {
    if done { 'x' } else { ' ' }
}

/// Time that was spent, in words.
pub(super) fn spent(time: &TimeEntry) -> String {
    let from = stamp::stamp(time.started_at).unwrap_or_else(|| "some time".to_owned());
    let until = match time.ended_at {
        Some(end) => {
            let minutes = u32::try_from(time.minutes().unwrap_or(0)).unwrap_or(0);
            format!("until {}, {}", stamp::clock(end), rules::when::show_minutes(minutes))
        }
        None => "still running".to_owned(),
    };
    let said = time.description.split(['\n', '\r']).next().unwrap_or_default();
    match said {
        "" => format!("{from} {until}"),
        said => format!("{from} {until}: {}", escape(said)),
    }
}
