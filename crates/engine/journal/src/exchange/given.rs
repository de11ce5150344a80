//! Archives of all kinds for tests, each decided by its seed.

use std::collections::BTreeSet;

use serde_json::json;
use testkit::Random;
use types::{
    At, BlockId, Body, Category, CategoryId, Checklist, ChecklistId, ChecklistItem, Day, DayPlan,
    Due, Entry, EntryId, EntryKind, ItemId, Media, PlanBlock, Rating, RatingId, RecordId, Relation,
    Task, TaskId, TaskLabel, TaskLabelId, TaskPriority, TaskStatus, TimeEntry, TimeEntryId, Ulid,
};

use super::archive::{Archive, Gone, Piece, Tie};

/// What people paste when they want to see something break.
const NASTY: [&str; 24] = [
    "Water the ferns",
    "-->",
    "<!-- task {\"id\":\"task_x\"} -->",
    "<!-- end {} -->",
    "`code` ``` fence",
    "# heading",
    "- [ ] box",
    "  spaces around  ",
    "> quoted",
    "*2026-11-15 08:30 UTC*",
    "priority p1 · due 2026-11-20",
    "a, b · c",
    "\\ back \\* slash \\\\",
    "1. first",
    "&amp; &lt;script&gt;",
    "{\"json\": true}",
    "Ünïcödé 🦔 \u{2028} end",
    "[link](http://x.org/a_b?c=d&e=f)",
    "~~struck~~ **bold** _so_",
    "due tomorrow",
    "blocked",
    "---",
    "\u{202e}right to left",
    "é\u{301}",
];

/// An archive of everything that there is.
pub(crate) fn archive(seed: u64) -> Archive {
    let mut make = Make { random: Random::seeded(seed), number: 0, archive: Archive::default() };
    make.all();
    make.archive.sorted()
}

struct Make {
    random: Random,
    number: u128,
    archive: Archive,
}

impl Make {
    fn all(&mut self) {
        let categories: Vec<CategoryId> = self.some(1, 4, |make, n| {
            let id = CategoryId::new(make.ulid());
            let name = format!("{} {n}", make.line());
            let colour = make.maybe(|_| "#2f7d4f".to_owned());
            make.put(&id, Category { name, colour });
            id
        });
        let mut labels: Vec<TaskLabelId> = self.some(0, 4, |make, n| {
            let id = TaskLabelId::new(make.ulid());
            let category_id = make.maybe(|make| make.one(&categories));
            make.put(
                &id,
                TaskLabel { name: format!("{}{n}", make_line(n)), colour: None, category_id },
            );
            id
        });
        let gone_label = TaskLabelId::new(self.ulid());
        if self.random.chance(1, 4) {
            self.gone(&gone_label, None);
            labels.push(gone_label);
        }
        let tasks: Vec<TaskId> = self.some(0, 5, |make, _| make.task(&categories, &labels));
        let mut known = tasks.clone();
        if self.random.chance(1, 2) {
            let removed = TaskId::new(self.ulid());
            let category = self.maybe(|make| make.one(&categories));
            self.gone(&removed, category);
            known.push(removed);
        }
        for task in &tasks {
            self.lists(task);
        }
        let entries = self.some(0, 5, |make, _| make.entry(&categories, &known));
        if !known.is_empty() {
            self.some(0, 4, |make, _| make.time(&known, &entries));
        }
        self.some(0, 3, |make, n| make.plan(n, &categories, &known));
        let targets: Vec<RecordId> = known.iter().map(Into::into).collect();
        if !targets.is_empty() {
            self.some(0, 3, |make, _| make.rating(&targets, &categories));
        }
        self.ties(&tasks);
    }

    fn task(&mut self, categories: &[CategoryId], labels: &[TaskLabelId]) -> TaskId {
        let id = TaskId::new(self.ulid());
        let due: Option<Due> = self.maybe(|make| {
            let text = make.one(&["2026-11-20", "2027-02-01T09:00", "0001-01-01T23:59"]);
            text.parse().unwrap()
        });
        let borne: BTreeSet<TaskLabelId> =
            labels.iter().filter(|_| self.random.chance(1, 2)).cloned().collect();
        let task = Task {
            status: self.one(&TaskStatus::ALL),
            priority: self.one(&TaskPriority::ALL),
            due,
            estimate_minutes: self.maybe(|make| u32::try_from(make.random.below(500)).unwrap()),
            language: self.maybe(|make| make.one(&["de", "pt-BR"]).to_owned()),
            labels: borne,
            closed_at: self.maybe(Make::at),
            ..Task::new(self.line(), self.one(categories))
        };
        self.put(&id, task);
        id
    }

    fn lists(&mut self, task: &TaskId) {
        self.some(0, 3, |make, _| {
            let list = ChecklistId::new(make.ulid());
            let title = make.line();
            make.put(&list, Checklist { task_id: task.clone(), title });
            let count = usize::try_from(make.random.below(4)).unwrap();
            for rank in rules::rank::after(None, count).unwrap() {
                let item = ItemId::new(make.ulid());
                let (checklist_id, task_id) = (list.clone(), task.clone());
                let (title, checked) = (make.line(), make.random.chance(1, 2));
                make.put(&item, ChecklistItem { checklist_id, task_id, title, checked, rank });
            }
        });
    }

    fn entry(&mut self, categories: &[CategoryId], tasks: &[TaskId]) -> EntryId {
        let id = EntryId::new(self.ulid());
        let kind = self.one(&EntryKind::ALL);
        let at = self.at();
        let entry = Entry {
            kind,
            text: if kind == EntryKind::Text {
                self.text()
            } else {
                self.maybe(Make::text).unwrap_or_default()
            },
            media: (kind != EntryKind::Text).then(|| Media {
                uri: self.line(),
                media_type: self.maybe(|_| "audio/ogg".to_owned()),
            }),
            category_id: self.one(categories),
            task_id: if tasks.is_empty() { None } else { self.maybe(|make| make.one(tasks)) },
            day: if self.random.chance(1, 2) { rules::day::of(at, "UTC") } else { self.day() },
            at,
        };
        self.put(&id, entry);
        id
    }

    fn time(&mut self, tasks: &[TaskId], entries: &[EntryId]) {
        let started_at = self.at();
        let ended_at = Some(started_at.plus_millis(1 + self.millis(3_600_000)));
        let time = TimeEntry {
            task_id: self.one(tasks),
            started_at,
            ended_at,
            day: self.day(),
            description: self.maybe(Make::text).unwrap_or_default(),
            source_entry_id: if entries.is_empty() {
                None
            } else {
                self.maybe(|make| make.one(entries))
            },
        };
        let id = TimeEntryId::new(self.ulid());
        self.put(&id, time);
    }

    fn plan(&mut self, n: usize, categories: &[CategoryId], tasks: &[TaskId]) {
        let day: Day = format!("2026-11-{:02}", n + 1).parse().unwrap();
        let blocks = self.some(0, 3, |make, _| {
            let starts_at = make.at();
            PlanBlock {
                id: BlockId::new(make.ulid()),
                category_id: make.one(categories),
                starts_at,
                ends_at: starts_at.plus_millis(1 + make.millis(3_600_000)),
                note: make.maybe(Make::text).unwrap_or_default(),
                task_id: if tasks.is_empty() { None } else { make.maybe(|make| make.one(tasks)) },
            }
        });
        let pinned: Vec<TaskId> =
            tasks.iter().filter(|_| self.random.chance(1, 3)).cloned().collect();
        let note = self.maybe(Make::text).unwrap_or_default();
        let plan = DayPlan { day, blocks, pinned, closed_at: self.maybe(Make::at), note };
        self.put(DayPlan::id(day), plan);
    }

    fn rating(&mut self, targets: &[RecordId], categories: &[CategoryId]) {
        let rating = Rating {
            target_id: self.one(targets),
            category_id: self.maybe(|make| make.one(categories)),
            score: self.one(&[1, 2, 3, 4, 5]),
            dimensions: self
                .some(0, 2, |make, n| (format!("{} {n}", make.line()), 4))
                .into_iter()
                .collect(),
            note: self.maybe(Make::text).unwrap_or_default(),
            day: self.day(),
        };
        let id = RatingId::new(self.ulid());
        self.put(&id, rating);
    }

    fn ties(&mut self, tasks: &[TaskId]) {
        for (number, task) in tasks.iter().enumerate().skip(1) {
            let relation = self.one(&Relation::BETWEEN_TASKS);
            let hidden = self.random.chance(1, 5);
            let tie = Tie::new((&tasks[number - 1]).into(), relation, task.into());
            let body = self.maybe(Make::text);
            let body = body.map(|text| ("why".to_owned(), json!(text))).into_iter().collect();
            self.archive.ties.push(Tie { hidden, body, ..tie });
        }
    }

    fn put(&mut self, id: impl Into<RecordId>, body: impl Into<Body>) {
        let created_at = self.at();
        self.archive.pieces.push(Piece { id: id.into(), created_at, body: body.into() });
    }

    fn gone(&mut self, id: impl Into<RecordId>, category_id: Option<CategoryId>) {
        self.archive.gone.push(Gone { id: id.into(), category_id });
    }

    fn some<T>(&mut self, least: u64, most: u64, make: impl Fn(&mut Make, usize) -> T) -> Vec<T> {
        let count = usize::try_from(least + self.random.below(most - least + 1)).unwrap();
        (0..count).map(|n| make(self, n)).collect()
    }

    fn maybe<T>(&mut self, make: impl Fn(&mut Make) -> T) -> Option<T> {
        self.random.chance(1, 2).then(|| make(self))
    }

    fn one<T: Clone>(&mut self, all: &[T]) -> T {
        let place = self.random.below(all.len() as u64);
        all[usize::try_from(place).unwrap()].clone()
    }

    fn ulid(&mut self) -> Ulid {
        self.number += 1;
        Ulid::new(
            At::from_millis(1_790_000_000_000),
            u128::from(self.random.next_u64()) << 8 | self.number,
        )
    }

    fn millis(&mut self, below: u64) -> i64 {
        i64::try_from(self.random.below(below)).unwrap()
    }

    fn at(&mut self) -> At {
        let at = At::from_millis(1_790_000_000_000 + self.millis(10_000_000_000));
        // Half of all times are whole minutes, as people write them.
        if self.random.chance(1, 2) { at.plus_millis(-(at.millis() % 60_000)) } else { at }
    }

    fn day(&mut self) -> Day {
        self.one(&["2026-11-15", "2027-01-01", "0001-01-01", "9999-12-31"]).parse().unwrap()
    }

    fn line(&mut self) -> String {
        make_title(&mut self.random)
    }

    /// Lines of nasty things, and ends of lines of all kinds.
    fn text(&mut self) -> String {
        let lines = 1 + self.random.below(4);
        let mut text = String::new();
        for _ in 0..lines {
            text += &self.one(&NASTY.map(str::to_owned));
            text += self.one(&["\n", "\n\n", "\r\n", "", " ", "\t", "\n> ", "\r", "\u{0}"]);
        }
        text + "."
    }
}

fn make_title(random: &mut Random) -> String {
    let mut pick = || NASTY[usize::try_from(random.below(NASTY.len() as u64)).unwrap()];
    let (one, other) = (pick(), pick());
    if random.chance(1, 2) { one.to_owned() } else { format!("{one}{other}") }
}

/// A name that nobody else has.
fn make_line(n: usize) -> String {
    NASTY[(n * 7) % NASTY.len()].to_owned()
}
