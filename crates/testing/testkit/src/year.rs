//! A year of a busy person's journal, from a seed.

use types::{
    At, Author, CategoryId, Checklist, ChecklistId, ChecklistItem, Commit, Day, DayPlan, Domain,
    Entry, EntryId, EntryKind, ItemId, PlanBlock, RecordDraft, Task, TaskId, TaskPriority,
    TaskStatus, TimeEntry, TimeEntryId, Ulid, Write,
};

use crate::Random;

/// How much there is in a year.
const TASKS: u64 = 2_000;
const ITEMS_PER_TASK: u64 = 10;
const ENTRIES_PER_TASK: u64 = 5;
const TIMES_PER_TASK: (u64, u64) = (5, 2);
const DAYS: u64 = 365;

/// How many entries hold the word that is searched for, however long the journal is.
pub const FINDS: u64 = 20;

/// The word that they hold.
pub const RARE_WORD: &str = "quetzal";

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;
const WRITES_PER_COMMIT: usize = 1_000;

const WORDS: [&str; 24] = [
    "report", "ferns", "invoice", "meeting", "garden", "review", "draft", "letter", "budget",
    "train", "ticket", "parcel", "design", "figures", "window", "answer", "plan", "call",
    "library", "bread", "paint", "ladder", "summary", "version",
];

/// A journal that ends on a day, in commits: a share of a year with as much on each of its days.
#[derive(Debug)]
pub struct Year {
    random: Random,
    born: u64,
    last_day: At,
    tasks: u64,
    finds: u64,
    writes: Vec<Write>,
}

impl Year {
    /// One of so many shares of a year, with its last day beginning at this instant, in UTC.
    #[must_use]
    pub fn share(seed: u64, of: u64, last_day: At) -> Year {
        let tasks = TASKS / of;
        Year { random: Random::seeded(seed), born: 0, last_day, tasks, finds: 0, writes: vec![] }
    }

    /// All of it.
    #[must_use]
    pub fn commits(mut self) -> Vec<Commit> {
        let days = (DAYS * self.tasks).div_ceil(TASKS);
        for n in 0..self.tasks {
            let ago = i64::try_from((self.tasks - 1 - n) * days / self.tasks).expect("few days");
            self.task(n, self.last_day.plus_millis(-ago * DAY_MS), ago);
        }
        for ago in 0..i64::try_from(days).expect("few days") {
            self.plan(self.last_day.plus_millis(-ago * DAY_MS));
        }
        let at = self.last_day;
        let commit =
            |writes: &[Write]| Commit::new(Domain::Journal, Author::Operator, at, writes.to_vec());
        self.writes.chunks(WRITES_PER_COMMIT).map(commit).collect()
    }

    fn task(&mut self, n: u64, day: At, ago: i64) {
        let id = TaskId::new(self.ulid(day));
        let old = ago > 14 && !self.random.chance(1, 20);
        let closed = old || self.random.chance(1, 3);
        let task = Task {
            status: if closed { TaskStatus::Done } else { TaskStatus::Open },
            priority: TaskPriority::ALL[self.pick(4)],
            estimate_minutes: Some(30),
            due: self.random.chance(1, 3).then(|| types::Due { day: date(day), time: None }),
            closed_at: closed.then_some(day),
            ..Task::new(self.words(5), self.category())
        };
        let category = task.category_id.clone();
        self.put(&id, task);
        self.checklist(&id, day, closed);
        for m in 0..ENTRIES_PER_TASK {
            let at = day.plus_millis(9 * HOUR_MS + i64::try_from(m).expect("few") * HOUR_MS);
            self.entry(&id, &category, at, n * ENTRIES_PER_TASK + m);
        }
        let (times, per) = TIMES_PER_TASK;
        for m in 0..times * (n + 1) / per - times * n / per {
            let at = day.plus_millis(8 * HOUR_MS + i64::try_from(m).expect("few") * 2 * HOUR_MS);
            self.time(&id, at);
        }
    }

    fn checklist(&mut self, task: &TaskId, day: At, closed: bool) {
        let list = ChecklistId::new(self.ulid(day));
        self.put(&list, Checklist { task_id: task.clone(), title: "Todo".to_owned() });
        for n in 0..ITEMS_PER_TASK {
            let id = ItemId::new(self.ulid(day));
            let item = ChecklistItem {
                checklist_id: list.clone(),
                task_id: task.clone(),
                title: self.words(4),
                checked: closed || self.random.chance(1, 2),
                rank: format!("{}1", char::from(b'a' + u8::try_from(n).expect("few"))),
            };
            self.put(&id, item);
        }
    }

    fn entry(&mut self, task: &TaskId, category: &CategoryId, at: At, n: u64) {
        let id = EntryId::new(self.ulid(at));
        let mut text = self.words(40);
        let every = (self.tasks * ENTRIES_PER_TASK / FINDS).max(1);
        if n.is_multiple_of(every) && self.finds < FINDS {
            self.finds += 1;
            text = format!("{text} {RARE_WORD} {}", self.words(3));
        }
        let entry = Entry {
            kind: EntryKind::Text,
            text,
            media: None,
            category_id: category.clone(),
            task_id: Some(task.clone()),
            at,
            day: date(at),
        };
        self.put(&id, entry);
    }

    fn time(&mut self, task: &TaskId, at: At) {
        let id = TimeEntryId::new(self.ulid(at));
        let time = TimeEntry {
            task_id: task.clone(),
            started_at: at,
            ended_at: Some(at.plus_millis(HOUR_MS)),
            day: date(at),
            description: self.words(4),
            source_entry_id: None,
        };
        self.put(&id, time);
    }

    fn plan(&mut self, day: At) {
        let blocks = (0..4_i64).map(|n| {
            let starts_at = day.plus_millis((8 + 2 * n) * HOUR_MS);
            PlanBlock {
                id: format!("block_{n}").parse().expect("an id"),
                category_id: self.category(),
                starts_at,
                ends_at: starts_at.plus_millis(2 * HOUR_MS),
                note: self.words(3),
                task_id: None,
            }
        });
        let plan = DayPlan { blocks: blocks.collect(), ..DayPlan::empty(date(day)) };
        let id = DayPlan::id(plan.day);
        self.put(&id, plan);
    }

    fn put<I>(&mut self, id: &I, body: impl Into<types::Body>)
    where
        for<'a> &'a I: Into<types::RecordId>,
    {
        let born = self.writes.len();
        let draft = RecordDraft::live(id, body);
        let at = self.last_day.plus_millis(-DAY_MS + i64::try_from(born).unwrap_or(0));
        self.writes.push(Write::Record(RecordDraft { created_at: Some(at), ..draft }));
    }

    fn ulid(&mut self, at: At) -> Ulid {
        self.born += 1;
        Ulid::new(
            at.plus_millis(i64::try_from(self.born % 1_000).expect("few")),
            u128::from(self.random.next_u64()),
        )
    }

    fn category(&mut self) -> CategoryId {
        ["category_home", "category_work"][self.pick(2)].parse().expect("an id")
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<&str> = (0..count).map(|_| WORDS[self.pick(WORDS.len())]).collect();
        words.join(" ")
    }

    fn pick(&mut self, of: usize) -> usize {
        usize::try_from(self.random.below(of as u64)).expect("few")
    }
}

/// The day of an instant, in UTC.
fn date(at: At) -> Day {
    at.to_string()[..10].parse().expect("an instant begins with its day")
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::{Body, BodyType};

    fn count(commits: &[Commit], kind: BodyType) -> usize {
        let writes = commits.iter().flat_map(|commit| &commit.writes);
        writes
            .filter(|write| {
                matches!(write, Write::Record(draft) if draft.body.body_type() == Some(kind))
            })
            .count()
    }

    fn finds(commits: &[Commit]) -> u64 {
        let writes = commits.iter().flat_map(|commit| &commit.writes);
        let found = writes.filter(|write| {
            matches!(write, Write::Record(RecordDraft { body: Body::Entry(entry), .. })
                if entry.text.contains(RARE_WORD))
        });
        found.count() as u64
    }

    #[test]
    fn a_year_and_a_fiftieth_of_it_have_what_they_should_and_the_same_finds() {
        let last: At = "2026-11-15T00:00:00Z".parse().unwrap();
        let (whole, share) =
            (Year::share(1, 1, last).commits(), Year::share(1, 50, last).commits());
        let kinds = [BodyType::Task, BodyType::ChecklistItem, BodyType::Entry, BodyType::TimeEntry];
        assert_eq!(kinds.map(|kind| count(&whole, kind)), [2_000, 20_000, 10_000, 5_000]);
        assert_eq!(kinds.map(|kind| count(&share, kind)), [40, 400, 200, 100]);
        assert_eq!((finds(&whole), finds(&share)), (FINDS, FINDS));
        whole.iter().chain(&share).for_each(|commit| commit.check().unwrap());
        assert_eq!(format!("{whole:?}"), format!("{:?}", Year::share(1, 1, last).commits()));
    }
}
