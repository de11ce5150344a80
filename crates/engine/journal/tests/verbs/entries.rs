//! Entries.

use std::ops::Range;

use journal::EntryFilter;
use serde_json::{Value, json};
use store::Marked;
use types::{
    At, Body, BodyType, Code, Domain, Entry, EntryKind, RecordDraft, RecordId, Write, limits,
};

use crate::desk::Desk;

impl Desk {
    /// A note, by its id.
    pub(crate) fn note(&self, arguments: Value) -> String {
        self.done("write_entry", arguments)["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn entry_now(&self, id: &str) -> Entry {
        match self.body(id) {
            Some(Body::Entry(entry)) => entry,
            other => panic!("{id} is no entry: {other:?}"),
        }
    }

    /// Notes about a task at home, as they could come from elsewhere, all at once.
    fn old_notes(&self, task: &str, numbers: Range<usize>) {
        self.put(numbers.map(|n| {
            let id: RecordId = format!("entry_{n:06}").parse().unwrap();
            let note = Entry {
                kind: EntryKind::Text,
                text: "old".to_owned(),
                media: None,
                category_id: "category_home".parse().unwrap(),
                task_id: Some(task.parse().unwrap()),
                at: At::EPOCH,
                day: "1970-01-01".parse().unwrap(),
            };
            Write::Record(RecordDraft::live(id, note))
        }));
    }

    fn texts(&self, filter: EntryFilter) -> Vec<String> {
        let filter = EntryFilter { limit: 50, ..filter };
        let found = store::wait(self.journal.entry_list(filter)).unwrap();
        found.into_iter().map(|view| view.entry.text).collect()
    }
}

#[test]
fn a_note_lies_where_its_task_does_and_on_the_day_it_was_said() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let id = desk.note(json!({ "text": "bought moss\n", "taskId": task, "at": "yesterday 18:30" }));
    let entry = desk.entry_now(&id);
    assert_eq!((entry.text.as_str(), entry.category_id.as_str()), ("bought moss", "category_home"));
    assert_eq!(entry.at.to_string(), "2026-12-31T18:30:00.000Z");
    assert_eq!((entry.day.to_string().as_str(), entry.kind), ("2026-12-31", EntryKind::Text));
    assert_eq!(entry.task_id.unwrap().as_str(), task);
    let plain = desk.entry_now(&desk.note(json!({ "text": "rain", "categoryId": "work" })));
    assert_eq!((plain.task_id, plain.category_id.as_str()), (None, "category_work"));
}

#[test]
fn a_recording_keeps_its_file_and_its_words() {
    let desk = Desk::new();
    let audio = json!({
        "kind": "audio", "mediaUri": "/memos/1.ogg", "mediaType": "audio/ogg", "text": "",
        "categoryId": "home"
    });
    let id = desk.note(audio);
    assert_eq!(desk.entry_now(&id).media.unwrap().uri, "/memos/1.ogg");
    desk.done("edit_entry", json!({ "entryId": id, "text": "call the vet" }));
    let entry = desk.entry_now(&id);
    assert_eq!((entry.text.as_str(), entry.media.is_some()), ("call the vet", true));
}

#[test]
fn what_a_note_cannot_be_is_refused_and_changes_nothing() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let write = |arguments: Value| desk.refused("write_entry", arguments);
    assert_eq!(write(json!({ "text": "x" })), Code::WrongUsage);
    assert_eq!(write(json!({ "text": "  ", "categoryId": "home" })), Code::InvalidRecord);
    let both = json!({ "text": "x", "taskId": task, "categoryId": "work" });
    assert_eq!(write(both), Code::OtherCategory);
    let no_file = json!({ "text": "x", "kind": "image", "categoryId": "home" });
    assert_eq!(write(no_file), Code::InvalidRecord);
    let odd = json!({ "text": "x", "categoryId": "home", "at": "whenever" });
    assert_eq!(write(odd), Code::BadTime);
    assert_eq!(desk.refused("remove_entry", json!({ "entryId": "zzzzzz" })), Code::UnknownRecord);
}

#[test]
fn a_note_is_moved_changed_and_put_back() {
    let desk = Desk::new();
    let (task, other) = (desk.task("ferns", "home"), desk.task("report", "work"));
    let id = desk.note(json!({ "text": "one", "taskId": task }));
    let moved =
        desk.operation("edit_entry", json!({ "entryId": id, "taskId": other, "text": "two" }));
    assert_eq!(desk.entry_now(&id).category_id.as_str(), "category_work");
    let astray = json!({ "entryId": id, "categoryId": "home" });
    assert_eq!(desk.refused("edit_entry", astray.clone()), Code::OtherCategory);
    desk.undo(moved).unwrap();
    let entry = desk.entry_now(&id);
    assert_eq!((entry.text.as_str(), entry.task_id.unwrap().as_str()), ("one", task.as_str()));
    desk.done("edit_entry", json!({ "entryId": id, "taskId": null, "categoryId": "work" }));
    assert_eq!(desk.entry_now(&id).task_id, None);
    desk.done("edit_entry", astray);
    assert_eq!(desk.entry_now(&id).category_id.as_str(), "category_home");
}

#[test]
fn a_removed_note_comes_back_with_what_was_told_in_it_unless_its_place_is_gone() {
    let desk = Desk::new();
    desk.done("add_category", json!({ "name": "garden" }));
    let id = desk.note(json!({ "text": "moss", "categoryId": "garden" }));
    let removal = desk.operation("remove_entry", json!({ "entryId": id }));
    assert!(desk.body(&id).is_none());
    desk.undo(removal).unwrap();
    assert_eq!(desk.entry_now(&id).text, "moss");
    let removal = desk.operation("remove_entry", json!({ "entryId": id }));
    desk.done("remove_category", json!({ "categoryId": "garden" }));
    assert_eq!(desk.undo(removal).unwrap_err().code, Code::CannotUndo);
}

#[test]
fn notes_are_listed_by_task_category_and_day_newest_first() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    for (text, at) in [("c", "today 8:00"), ("a", "2026-12-29 9:00"), ("b", "2026-12-31 9:00")] {
        desk.note(json!({ "text": text, "taskId": task, "at": at }));
    }
    desk.note(json!({ "text": "w", "categoryId": "work", "at": "2026-12-30 9:00" }));
    let any = EntryFilter::default();
    assert_eq!(desk.texts(any.clone()), ["c", "b", "w", "a"]);
    let of_task = EntryFilter { task: Some(task), ..any.clone() };
    assert_eq!(desk.texts(of_task.clone()), ["c", "b", "a"]);
    let home = EntryFilter { category: Some("home".to_owned()), ..any.clone() };
    assert_eq!(desk.texts(home.clone()), ["c", "b", "a"]);
    let from = Some("2026-12-30".parse().unwrap());
    let to = Some("2026-12-31".parse().unwrap());
    assert_eq!(desk.texts(EntryFilter { from, to, ..any.clone() }), ["b", "w"]);
    assert_eq!(desk.texts(EntryFilter { from, to, ..home }), ["b"]);
    assert_eq!(desk.texts(EntryFilter { from, ..of_task }), ["c", "b"]);
    let turned = EntryFilter { from: to, to: from, ..any.clone() };
    let refused = store::wait(desk.journal.entry_list(turned)).unwrap_err();
    assert_eq!(types::Problem::from(refused).code, Code::EndBeforeStart);
    let two = store::wait(desk.journal.entry_list(EntryFilter { limit: 2, ..any })).unwrap();
    assert_eq!((two.len(), two[0].task.as_deref()), (2, Some("ferns")));
}

#[test]
fn the_notes_of_a_task_go_with_it_to_another_category_and_back() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let note = desk.done("write_entry", json!({ "text": "thirsty", "taskId": task }));
    let note = note["id"].as_str().unwrap().to_owned();
    let lies = || match desk.body(&note) {
        Some(types::Body::Entry(entry)) => entry.category_id.to_string(),
        other => panic!("{other:?}"),
    };
    let moved =
        desk.operation("update_task_fields", json!({ "taskId": task, "categoryId": "work" }));
    assert_eq!(lies(), "category_work");
    desk.undo(moved).unwrap();
    assert_eq!(lies(), "category_home");
}

#[test]
fn a_task_goes_with_all_of_its_notes_however_many_or_not_at_all() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let (page, most) = (limits::ROWS_PER_READ_MAX, limits::COMMIT_WRITES_MAX);
    desk.old_notes(&task, 0..page + 1);
    desk.note(json!({ "text": "rain", "categoryId": "home" }));
    let lying_in = |category: &str| {
        let mark = rules::mark::lying_in(&category.parse().unwrap());
        let search = Marked::with(BodyType::Entry, mark, page);
        store::wait(desk.store.marked(Domain::Journal, search)).unwrap().len()
    };
    let to_work = json!({ "taskId": task, "categoryId": "work" });
    let moved = desk.operation("update_task_fields", to_work.clone());
    assert_eq!(lying_in("category_home"), 1, "the one that is not about the task");
    desk.undo(moved).unwrap();
    assert_eq!(lying_in("category_work"), 0);
    desk.old_notes(&task, page + 1..most);
    assert_eq!(desk.refused("update_task_fields", to_work), Code::LimitReached);
}
