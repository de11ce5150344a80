//! Going out and coming in.

use journal::{EntryFilter, Format, Import, Imported, Meeting, TaskFilter, TaskView};
use serde_json::{Value, json};
use store::{Marked, wait};
use types::{BodyType, Code, Domain, Problem, Relation, TaskPriority, TaskStatus, limits};

use crate::desk::Desk;

const TASKWARRIOR: &str = include_str!("../fixtures/taskwarrior.json");
const TASKWARRIOR_LINES: &str = include_str!("../fixtures/taskwarrior-lines.json");
const TODO_TXT: &str = include_str!("../fixtures/todo.txt");
const OWN: [Format; 2] = [Format::Json, Format::Markdown];

impl Desk {
    pub(crate) fn export(&self, format: Format) -> String {
        wait(self.journal.export(format)).unwrap().text
    }

    pub(crate) fn import_as(&self, import: Import) -> Result<Imported, Problem> {
        self.world.advance_ms(1);
        wait(self.journal.import(import)).map_err(Problem::from)
    }

    pub(crate) fn import(&self, format: Format, text: &str) -> Imported {
        self.import_as(file(format, text)).unwrap()
    }

    /// An import that must be refused and leave the journal as it was.
    pub(crate) fn refuses(&self, import: Import) -> Problem {
        let before = self.export(Format::Json);
        let head = wait(self.store.head(Domain::Journal)).unwrap();
        let problem = self.import_as(import).unwrap_err();
        assert_eq!(wait(self.store.head(Domain::Journal)).unwrap(), head);
        assert_eq!(self.export(Format::Json), before);
        problem
    }

    fn tasks(&self) -> Vec<TaskView> {
        let filter = TaskFilter { all: true, limit: 100, ..TaskFilter::default() };
        wait(self.journal.task_list(filter)).unwrap()
    }

    pub(crate) fn task_titled(&self, title: &str) -> TaskView {
        self.tasks().into_iter().find(|task| task.task.title == title).unwrap()
    }

    fn notes_of(&self, task: &TaskView) -> Vec<String> {
        let filter =
            EntryFilter { task: Some(task.id.to_string()), limit: 100, ..EntryFilter::default() };
        let notes = wait(self.journal.entry_list(filter)).unwrap();
        notes.into_iter().map(|note| note.entry.text).collect()
    }
}

pub(crate) fn file(format: Format, text: &str) -> Import {
    let (text, meeting) = (text.to_owned(), Meeting::Refuse);
    Import { format, text, category: None, meeting, preview: false }
}

/// A home in which this and that was done.
fn lived_in() -> Desk {
    let desk = Desk::new();
    desk.done("add_category", json!({ "name": "garden", "colour": "#2f7d4f" }));
    desk.done("add_label", json!({ "name": "plants, all", "categoryId": "garden" }));
    let task = json!({
        "title": "Water the *ferns* -->", "categoryId": "garden", "dueDate": "tomorrow",
        "labelIds": ["plants, all"], "estimateMinutes": 90
    });
    let task = desk.done("create_task", task)["id"].as_str().unwrap().to_owned();
    desk.note(json!({ "text": "# moss\n> bought\n<!-- end {} -->", "taskId": task }));
    let removed = desk.task("Never mind", "home");
    desk.note(json!({ "text": "why not", "taskId": removed }));
    desk.done("remove_task", json!({ "taskId": removed }));
    desk
}

/// Makes something wrong in a file.
type Spoil = fn(&mut Value);

/// Makes something that rests on what was imported.
type Rests = fn(&Desk);

#[test]
fn a_home_moves_into_an_empty_one_and_is_the_same_to_the_byte() {
    let homes: [fn(&Desk); 4] = [
        |_| {},
        |desk| drop(desk.done("remove_category", json!({ "categoryId": "work" }))),
        |desk| drop(desk.done("edit_category", json!({ "categoryId": "work", "name": "office" }))),
        |desk| {
            desk.done("remove_category", json!({ "categoryId": "work" }));
            desk.done("add_category", json!({ "name": "Work" }));
        },
    ];
    for change in homes {
        for new in [Desk::new, lived_in] {
            let home = new();
            change(&home);
            for format in OWN {
                let text = home.export(format);
                let other = Desk::new();
                other.world.advance_ms(1_000_000);
                other.import(format, &text);
                assert_eq!(other.export(format), text);
                for format in OWN {
                    assert_eq!(other.export(format), home.export(format));
                }
                // Once more changes nothing.
                let again = other.import(format, &text);
                assert!(again.added.is_empty() && again.operations.is_empty(), "{again:?}");
            }
        }
    }
}

#[test]
fn an_empty_home_keeps_its_categories_when_tasks_of_others_come_in() {
    let desk = Desk::new();
    desk.import(Format::TodoTxt, "Buy milk\n");
    desk.import(Format::Markdown, "# garden\n- [ ] weed\n");
    let names = wait(desk.journal.category_list()).unwrap();
    let names: Vec<&str> = names.iter().map(|category| category.name.as_str()).collect();
    assert_eq!(names, ["garden", "home", "inbox", "work"]);
}

#[test]
fn a_file_that_lacks_a_section_adds_to_an_empty_home_and_takes_nothing_away() {
    let desk = Desk::new();
    desk.import(Format::Json, &broken(|_| {}));
    let names = wait(desk.journal.category_list()).unwrap();
    let names: Vec<&str> = names.iter().map(|category| category.name.as_str()).collect();
    assert_eq!(names, ["a", "home", "work"]);
}

#[test]
fn what_the_journal_says_otherwise_is_refused_replaced_or_kept() {
    for format in OWN {
        let desk = Desk::new();
        let id = desk.task("ferns", "home");
        let text = desk.export(format);
        desk.done("set_task_title", json!({ "taskId": id, "title": "moss" }));
        let problem = desk.refuses(file(format, &text));
        assert_eq!(problem.code, Code::ImportConflict);
        assert!(problem.message.contains(&id), "{}", problem.message);
        let skipped = Import { meeting: Meeting::Skip, ..file(format, &text) };
        let skipped = desk.import_as(skipped).unwrap();
        assert_eq!((skipped.skipped["tasks"], skipped.operations.len()), (1, 0));
        assert_eq!(desk.task_now(&id).title, "moss");
        let replace = Import { meeting: Meeting::Replace, ..file(format, &text) };
        let shown = desk.import_as(Import { preview: true, ..replace.clone() }).unwrap();
        assert_eq!((shown.replaced["tasks"], desk.task_now(&id).title.as_str()), (1, "moss"));
        let replaced = desk.import_as(replace).unwrap();
        assert_eq!(desk.task_now(&id).title, "ferns");
        desk.undo(replaced.operations[0]).unwrap();
        assert_eq!(desk.task_now(&id).title, "moss");
    }
}

#[test]
fn names_that_the_journal_has_for_others_are_refused_or_taken_for_the_same() {
    let home = Desk::new();
    home.done("add_category", json!({ "name": "garden" }));
    home.done("add_label", json!({ "name": "soon" }));
    let task = json!({ "title": "ferns", "categoryId": "garden", "labelIds": ["soon"] });
    home.done("create_task", task);
    let text = home.export(Format::Json);
    let other = Desk::new();
    other.world.advance_ms(77);
    other.done("add_category", json!({ "name": "Garden" }));
    other.done("add_label", json!({ "name": "SOON" }));
    for meeting in [Meeting::Refuse, Meeting::Replace] {
        let problem = other.refuses(Import { meeting, ..file(Format::Json, &text) });
        assert_eq!(problem.code, Code::ImportConflict, "{problem:?}");
    }
    let skip = Import { meeting: Meeting::Skip, ..file(Format::Json, &text) };
    let taken = other.import_as(skip).unwrap();
    assert_eq!((taken.added["tasks"], taken.skipped["categories"]), (1, 1));
    let task = other.task_titled("ferns");
    assert_eq!((task.category.as_str(), task.labels), ("Garden", vec!["SOON".to_owned()]));
}

#[test]
fn an_import_is_undone_and_the_same_file_brings_it_back() {
    let home = lived_in();
    let text = home.export(Format::Json);
    let other = Desk::new();
    let before = other.export(Format::Json);
    let imported = other.import(Format::Json, &text);
    assert_eq!(imported.operations.len(), 1);
    other.undo(imported.operations[0]).unwrap();
    assert_eq!(other.export(Format::Json), before);
    other.import(Format::Json, &text);
    assert_eq!(other.tasks().len(), home.tasks().len());
    let history = wait(other.journal.history(None, None, 1)).unwrap();
    assert_eq!(history[0].verb.as_deref(), Some("import"));
}

/// A file with a category of so many tasks, the first with so many notes, all with ids that come before
/// those of whatever is made here.
fn a_garden(tasks: usize, notes: usize) -> String {
    let when = "2026-11-01T00:00:00Z";
    let task = |n: usize| {
        json!({
            "id": format!("task_{n:06}"), "created_at": when, "title": "t", "status": "open",
            "priority": "p2", "category_id": "category_garden"
        })
    };
    let note = |n: usize| {
        json!({
            "id": format!("entry_{n:06}"), "created_at": when, "kind": "text", "text": "n",
            "at": when, "day": "2026-11-01", "category_id": "category_garden",
            "task_id": "task_000000"
        })
    };
    let file = json!({
        "dormouse": 1,
        "categories": [{ "id": "category_garden", "created_at": when, "name": "garden" }],
        "tasks": (0..tasks).map(task).collect::<Vec<Value>>(),
        "entries": (0..notes).map(note).collect::<Vec<Value>>()
    });
    file.to_string()
}

#[test]
fn an_import_is_not_undone_while_something_newer_rests_on_it() {
    let max = limits::ROWS_PER_READ_MAX;
    let rests: [(usize, usize, Rests); 3] = [
        (max + 1, 0, |desk| drop(desk.task("ferns", "garden"))),
        (1, max + 1, |desk| drop(desk.note(json!({ "text": "n", "taskId": "task_000000" })))),
        (1, 11, |desk| {
            let task = desk.task("ferns", "garden");
            desk.note(json!({ "text": "n", "taskId": task }));
            desk.done("remove_task", json!({ "taskId": task }));
        }),
    ];
    let refused = rests.map(|(tasks, notes, rest)| {
        let desk = Desk::new();
        let imported = desk.import(Format::Json, &a_garden(tasks, notes)).operations[0];
        rest(&desk);
        desk.undo(imported).err().map(|problem| problem.code)
    });
    assert_eq!(refused, [Some(Code::CannotUndo); 3]);
}

/// An export with something in it changed.
pub(crate) fn broken(change: fn(&mut Value)) -> String {
    let mut value: Value = json!({
        "dormouse": 1,
        "categories": [{ "id": "category_a", "created_at": "2026-11-01T00:00:00Z", "name": "a" }],
        "tasks": (0..3).map(|n| json!({
            "id": format!("task_{n}"), "created_at": "2026-11-01T00:00:00Z", "title": "t",
            "status": "open", "priority": "p2", "category_id": "category_a"
        })).collect::<Vec<Value>>(),
        "checklists": [{
            "id": "checklist_a", "created_at": "2026-11-01T00:00:00Z", "task_id": "task_0",
            "title": "l"
        }],
        "items": [{
            "id": "item_a", "created_at": "2026-11-01T00:00:00Z", "checklist_id": "checklist_a",
            "task_id": "task_0", "title": "i", "checked": false, "rank": "i"
        }],
        "links": [{ "from": "task_0", "relation": "blocks", "to": "task_1" }]
    });
    change(&mut value);
    value.to_string()
}

#[test]
fn a_file_with_anything_wrong_in_it_is_refused_whole_and_says_where() {
    let desk = Desk::new();
    assert_eq!(desk.import(Format::Json, &broken(|_| {})).added["tasks"], 3);
    let desk = Desk::new();
    let wrong: [(Spoil, &str); 16] = [
        (|v| v["dormouse"] = 2.into(), "version 2"),
        (|v| v["dormouse"] = Value::Null, "no export of Dormouse"),
        (|v| v["extra"] = json!([]), "unknown field `extra`"),
        (|v| v["tasks"][1]["extra"] = 1.into(), "tasks[1]: task_1: unknown field"),
        (|v| v["tasks"][2]["id"] = "task_1".into(), "tasks[2]: task_1 is there already"),
        (|v| v["tasks"][2]["id"] = "entry_1".into(), "tasks[2]: entry_1: the id of a task"),
        (|v| v["tasks"][2]["id"] = "Task|1".into(), "tasks[2]"),
        (|v| v["tasks"][2]["created_at"] = "soon".into(), "tasks[2]"),
        (|v| v["tasks"][0]["title"] = " ".into(), "tasks[0]: task_0: title is empty"),
        (
            |v| v["tasks"][0]["category_id"] = "category_b".into(),
            "tasks[0]: task_0 names a category",
        ),
        (
            |v| v["items"][0]["checklist_id"] = "checklist_b".into(),
            "items[0]: item_a names a checklist",
        ),
        (|v| v["items"][0]["rank"] = "?".into(), "items[0]: item_a: an order key"),
        (|v| v["links"][0]["to"] = "task_9".into(), "links[0]: task_9 is neither"),
        (
            |v| v["links"][0]["to"] = "task_0".into(),
            "links[0]: task_0 has the relation blocks to itself",
        ),
        (
            |v| {
                let more = [("task_1", "task_2"), ("task_2", "task_0")];
                for (from, to) in more {
                    let link = json!({ "from": from, "relation": "blocks", "to": to });
                    v["links"].as_array_mut().unwrap().push(link);
                }
            },
            "links[0]: blocks goes round in a circle",
        ),
        (
            |v| {
                let twin = json!({ "id": "category_b", "created_at": "2026-11-01T00:00:00Z", "name": "A" });
                v["categories"].as_array_mut().unwrap().push(twin);
            },
            "categories[1]: category \"a\" is category_a too",
        ),
    ];
    for (change, said) in wrong {
        let problem = desk.refuses(file(Format::Json, &broken(change)));
        assert_eq!(problem.code, Code::BadImport, "{problem:?}");
        assert!(problem.message.contains(said), "{}: not {said}", problem.message);
    }
    let text = broken(|_| {});
    for end in [0, 1, text.len() / 2, text.len() - 1] {
        let problem = desk.refuses(file(Format::Json, &text[..end]));
        assert_eq!(problem.code, Code::BadImport);
    }
    for format in [Format::Taskwarrior, Format::Json] {
        assert_eq!(desk.refuses(file(format, &TASKWARRIOR[..400])).code, Code::BadImport);
    }
}

#[test]
fn a_circle_through_the_journal_is_found_too() {
    let desk = Desk::new();
    desk.import(Format::Json, &broken(|_| {}));
    let turned = broken(|v| {
        v["links"][0] = json!({ "from": "task_1", "relation": "blocks", "to": "task_0" });
    });
    let problem = desk.refuses(file(Format::Json, &turned));
    assert!(problem.message.contains("circle"), "{problem:?}");
}

#[test]
fn everything_of_a_taskwarrior_export_is_found() {
    let desk = Desk::new();
    desk.world.move_to("Europe/Berlin");
    let imported = desk.import(Format::Taskwarrior, TASKWARRIOR);
    assert_eq!((imported.added["tasks"], imported.left_out["deleted tasks"]), (7, 1));
    let ferns = desk.task_titled("Repot the ferns");
    // The seeded category is the one that is meant.
    assert_eq!(
        (ferns.category.as_str(), ferns.task.category_id.as_str()),
        ("home", "category_home")
    );
    assert_eq!(ferns.task.due.unwrap().to_string(), "2026-11-20");
    assert_eq!((ferns.task.priority, ferns.task.status), (TaskPriority::P1, TaskStatus::Open));
    assert_eq!(ferns.created_at.to_string(), "2026-11-01T08:15:00.000Z");
    let mut labels = ferns.labels.clone();
    labels.sort();
    assert_eq!(labels, ["Home.Garden", "plants", "weekend"]);
    let notes = desk.notes_of(&ferns);
    assert_eq!(notes[..2], ["https://example.org/ferns?a=1&b=2", "The big one needs a 30 cm pot"]);
    let soil = desk.task_titled("Buy potting soil");
    assert_eq!(soil.task.status, TaskStatus::InProgress);
    assert!(desk.notes_of(&soil)[0].contains("estimate: PT30M"));
    let bed = desk.task_titled("Plan the winter bed");
    assert_eq!(bed.task.status, TaskStatus::OnHold);
    let rest = &desk.notes_of(&bed)[0];
    assert!(rest.contains("wait: 2026-12-01T00:00:00.000Z"), "{rest}");
    assert!(rest.contains("scheduled: 2026-12-05T09:00:00.000Z"), "{rest}");
    let blocking = wait(desk.store.links_to(Domain::Journal, (&bed.id).into(), Relation::Blocks));
    assert_eq!(blocking.unwrap().len(), 2);
    let card = desk.task_titled("Renew the library card");
    assert_eq!((card.task.status, card.task.priority), (TaskStatus::Done, TaskPriority::P3));
    assert_eq!(card.task.closed_at.unwrap().to_string(), "2026-11-05T16:45:00.000Z");
    assert_eq!(card.category, "inbox");
    let water: Vec<TaskView> =
        desk.tasks().into_iter().filter(|task| task.task.title == "Water everything").collect();
    let on_hold = water.iter().find(|task| task.task.status == TaskStatus::OnHold).unwrap();
    assert_eq!((water.len(), desk.notes_of(on_hold)[0].contains("recur: weekly")), (2, true));
    let report = desk.task_titled("Send the quarterly report: \"numbers\", <charts> & words");
    let rest = &desk.notes_of(&report)[0];
    for line in [
        "githubissue: 1234",
        "Second line",
        "reviewed: true",
        "until: 2027-01-01",
        "depends: 7f1c9c0e-3a64-4f1e-9a55-1f2d6a0b7c05",
    ] {
        assert!(rest.contains(line), "{line} is not in {rest}");
    }
    let again = desk.import(Format::Taskwarrior, TASKWARRIOR);
    assert!(again.added.is_empty() && again.operations.is_empty(), "{again:?}");
}

#[test]
fn a_taskwarrior_export_of_the_old_kind_comes_in() {
    let desk = Desk::new();
    let imported = desk.import(Format::Taskwarrior, TASKWARRIOR_LINES);
    assert_eq!((imported.added["tasks"], imported.added["links"]), (3, 2));
    let two = desk.task_titled("A description");
    assert!(desk.notes_of(&two)[0].contains("A description\nof two lines"));
    assert_eq!(two.labels, ["old"]);
    let half: Vec<&str> = TASKWARRIOR_LINES.lines().collect();
    let problem = desk.refuses(file(Format::Taskwarrior, &format!("{}\n{{\"desc", half[0])));
    assert!(problem.message.starts_with("line 2: "), "{problem:?}");
}

#[test]
fn everything_of_a_todo_txt_is_found() {
    let desk = Desk::new();
    let import = || Import { category: Some("home".to_owned()), ..file(Format::TodoTxt, TODO_TXT) };
    let imported = desk.import_as(import()).unwrap();
    assert_eq!(imported.added["tasks"], 11);
    assert!(desk.tasks().iter().all(|task| task.category == "home"));
    let mum = desk.task_titled("Thank mum for the meatballs");
    assert_eq!((mum.task.priority, mum.labels), (TaskPriority::P0, vec!["@phone".to_owned()]));
    assert_eq!(mum.created_at.to_string(), "2026-11-01T12:00:00.000Z");
    let pickup = desk.task_titled("Schedule the pickup");
    assert_eq!(pickup.task.due.unwrap().to_string(), "2026-11-20");
    assert_eq!(pickup.labels.len(), 2);
    assert_eq!(desk.task_titled("@GroceryStore Eskimo pies").labels, ["@GroceryStore"]);
    let review = desk.task_titled("Review the pull request");
    assert_eq!((review.task.status, review.task.priority), (TaskStatus::Done, TaskPriority::P0));
    assert_eq!(review.task.closed_at.unwrap().to_string(), "2026-11-15T12:00:00.000Z");
    assert_eq!(desk.task_titled("Forgot the date").task.closed_at, None);
    let accordion = desk.task_titled("Some day learn the accordion t:2027-01-01 pri:F");
    assert_eq!(accordion.task.priority, TaskPriority::P3);
    desk.task_titled("Read https://example.org/a:b?due=1 rec:1w");
    let milk = desk.tasks().into_iter().filter(|task| task.task.title == "Buy milk").count();
    assert_eq!(milk, 2);
    let again = desk.import_as(import()).unwrap();
    assert!(again.added.is_empty() && again.operations.is_empty(), "{again:?}");
}

#[test]
fn only_one_timer_comes_in() {
    let desk = Desk::new();
    let running = |id: &str| {
        broken(|_| {}).replace("\"links\"", &format!(
            "\"time\":[{{\"id\":\"{id}\",\"created_at\":\"2026-11-01T00:00:00Z\",\"task_id\":\"task_0\",\
             \"started_at\":\"2026-11-01T00:00:00Z\",\"day\":\"2026-11-01\"}}],\"links\""
        ))
    };
    desk.import(Format::Json, &running("time_a"));
    let problem = desk.refuses(file(Format::Json, &running("time_b")));
    assert_eq!(problem.code, Code::ImportConflict);
    let mark = Marked::with(BodyType::TimeEntry, rules::mark::RUNNING, 5);
    assert_eq!(wait(desk.store.marked(Domain::Journal, mark)).unwrap().len(), 1);
}
