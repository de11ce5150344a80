//! Markdown as people write and change it.

use types::{Body, BodyType, Entry, Task, TaskStatus};

use crate::exchange::archive::Archive;
use crate::exchange::given;
use crate::exchange::intake::{Here, Reading};

use super::{read, write};

const DESK: i64 = 1_794_700_800_000;

fn here() -> Here {
    Here { now_ms: DESK, zone: "UTC".to_owned(), ..Here::default() }
}

fn taken(text: &str) -> Reading {
    read(text, &here()).unwrap()
}

/// Every record in a line of its own: kind, name, and under what.
fn shown(archive: &Archive) -> Vec<String> {
    let name = |id: &types::RecordId| {
        let piece = archive.pieces.iter().find(|piece| piece.id == *id);
        piece.map_or_else(|| id.to_string(), |piece| crate::views::heading(&piece.body))
    };
    let mut lines: Vec<String> = archive
        .pieces
        .iter()
        .map(|piece| {
            let owner = piece.body.owner().parse().map(|owner| name(&owner)).unwrap_or_default();
            let done = match &piece.body {
                Body::ChecklistItem(item) if item.checked => " x",
                Body::Task(task) if task.status == TaskStatus::Done => " x",
                _ => "",
            };
            let words = crate::views::heading(&piece.body);
            format!("{} {words:?} under {owner:?}{done}", piece.body.kind())
        })
        .collect();
    lines.sort();
    lines
}

fn task<'a>(reading: &'a Reading, title: &str) -> &'a Task {
    let tasks = reading.archive.of(BodyType::Task).filter_map(|piece| match &piece.body {
        Body::Task(task) => Some(task),
        _ => None,
    });
    tasks.into_iter().find(|task| task.title == title).unwrap()
}

fn notes(reading: &Reading) -> Vec<&Entry> {
    let mut notes: Vec<&Entry> = reading
        .archive
        .of(BodyType::Entry)
        .filter_map(|piece| match &piece.body {
            Body::Entry(entry) => Some(entry),
            _ => None,
        })
        .collect();
    notes.sort_by_key(|entry| entry.text.clone());
    notes
}

#[test]
fn a_page_that_somebody_wrote_by_hand_comes_in() {
    let page = "\
Before any heading

# Groceries

- [ ] Milk \\*organic\\*
* [X] Bread
  - priority p1 · due 2026-12-01 09:30 · labels food, weekly
  - [ ] rye
      - [x] spelt
  > from the **good** baker
  > - [ ] quoted, so no task
+ Baking
\t- [ ] flour

Some thoughts.

```
- [ ] code, so no task
```

## Garden ##
1. [ ] Weed
   - Tools
     - [x] hoe
   - then rest
   - and read
<!-- a remark
over lines - [ ] x -->
---
";
    let reading = taken(page);
    assert_eq!(
        shown(&reading.archive),
        [
            "category \"Garden\" under \"categories\"",
            "category \"Groceries\" under \"categories\"",
            "category \"inbox\" under \"categories\"",
            "checklist \"Checklist\" under \"Bread\"",
            "checklist \"Tools\" under \"Weed\"",
            "checklistItem \"hoe\" under \"Tools\" x",
            "checklistItem \"rye\" under \"Checklist\"",
            "checklistItem \"spelt\" under \"Checklist\" x",
            "entry \"- then rest\" under \"Weed\"",
            "entry \"Baking\" under \"Groceries\"",
            "entry \"Before any heading\" under \"inbox\"",
            "entry \"Some thoughts.\" under \"Groceries\"",
            "entry \"from the **good** baker\" under \"Bread\"",
            "label \"food\" under \"labels\"",
            "label \"weekly\" under \"labels\"",
            "task \"Bread\" under \"Groceries\" x",
            "task \"Milk *organic*\" under \"Groceries\"",
            "task \"Weed\" under \"Garden\"",
            "task \"flour\" under \"Groceries\"",
        ]
    );
    let bread = task(&reading, "Bread");
    assert_eq!((bread.priority.as_str(), bread.labels.len()), ("p1", 2));
    assert_eq!(bread.due.unwrap().to_string(), "2026-12-01T09:30");
    let texts: Vec<&str> = notes(&reading).into_iter().map(|note| note.text.as_str()).collect();
    assert_eq!(texts[0], "- then rest\n- and read");
    assert_eq!(texts[3], "Some thoughts.\n\n```\n- [ ] code, so no task\n```");
    assert_eq!(texts[4], "from the **good** baker\n- [ ] quoted, so no task");
    assert!(!reading.whole && reading.timeless.len() == 5);
}

#[test]
fn the_same_page_again_names_everything_the_same_and_equal_lines_stay_two() {
    let page = "# a\n- [ ] same\n- [ ] same\n  - [ ] item\n\nnote\n";
    let (first, again) = (taken(page), read(page, &Here { now_ms: DESK + 5, ..here() }).unwrap());
    let ids = |reading: &Reading| -> Vec<String> {
        reading.archive.pieces.iter().map(|piece| piece.id.to_string()).collect()
    };
    assert_eq!(ids(&first), ids(&again));
    assert_eq!(first.archive.of(BodyType::Task).count(), 2);
}

/// An export with its comments taken out.
fn bare(page: &str) -> String {
    let line = |line: &str| match line.trim_start().starts_with('>') {
        true => line.to_owned(),
        false => line.split("<!-- ").next().unwrap_or_default().trim_end().to_owned(),
    };
    page.lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn an_export_without_its_comments_still_says_what_is_to_be_done() {
    for seed in 0..40 {
        let archive = given::archive(seed);
        let page = bare(&write(&archive));
        let reading = taken(&page);
        let count = |archive: &Archive, kind| archive.of(kind).count();
        for kind in [BodyType::Task, BodyType::ChecklistItem] {
            assert_eq!(count(&reading.archive, kind), count(&archive, kind), "{seed}\n{page}");
        }
    }
}

/// An export in which a line was changed.
fn changed(from: &str, to: &str) -> (Task, Task) {
    let page = "\
<!-- dormouse {\"version\":1} -->

# Journal

## home <!-- category {\"id\":\"category_home\",\"created_at\":\"2026-11-01T00:00:00.000Z\"} -->

- [x] Ferns <!-- task {\"id\":\"task_a\",\"created_at\":\"2026-11-01T00:00:00.000Z\",\"closed_at\":\"2026-11-02T00:00:00.000Z\"} -->
  - cancelled · priority p1

<!-- end {} -->
";
    let other = page.replacen(from, to, 1);
    assert_ne!(page, other);
    let only = |page: &str| match &taken(page).archive.of(BodyType::Task).next().unwrap().body {
        Body::Task(task) => task.clone(),
        other => panic!("{other:?}"),
    };
    (only(page), only(&other))
}

#[test]
fn what_is_changed_by_hand_counts() {
    let (was, is) = changed("Ferns <!--", "Moss <!--");
    assert_eq!(is, Task { title: "Moss".to_owned(), ..was });
    let (was, is) = changed("- [x]", "- [ ]");
    assert_eq!(was.status, TaskStatus::Cancelled);
    assert_eq!(is, Task { status: TaskStatus::Open, closed_at: None, ..was });
    let (was, is) = changed("cancelled · priority p1", "due 2026-12-01");
    let due = Some("2026-12-01".parse().unwrap());
    let priority = types::TaskPriority::P2;
    assert_eq!(is, Task { status: TaskStatus::Done, due, priority, ..was });
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_line() {
    let head = "<!-- dormouse {\"version\":1} -->\n";
    let item = "- [ ] x <!-- item {\"id\":\"item_a\"} -->\n";
    let twice = "- [ ] x <!-- task {\"id\":\"task_a\"} -->\n".repeat(2);
    for (page, said) in [
        (format!("{head}# a\n"), "its last line is missing"),
        ("<!-- dormouse {\"version\":2} -->\n<!-- end {} -->\n".to_owned(), "version 2"),
        (format!("# a\n{item}"), "line 2: here stands a item, where a task should"),
        (
            "# a\n- [ ] x <!-- task {\"id\":\"task_a\",\"odd\":1} -->".to_owned(),
            "line 2: unknown field",
        ),
        ("# a\n- [ ] x <!-- task {} -->\n".to_owned(), "line 2: the comment has no id"),
        (format!("# a\n{twice}"), "line 3: task_a is there already, in line 2"),
        ("# a\n- [ ] x <!-- task {\"id\":\"task_a\"\n".to_owned(), "line 2: a comment of Dormouse"),
    ] {
        let problem = types::Problem::from(read(&page, &here()).unwrap_err());
        assert!(problem.message.contains(said), "{}: {page}", problem.message);
    }
}
