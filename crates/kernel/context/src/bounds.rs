//! How much room a prompt has.

use types::limits;

/// Room for things of one sort: so many at most, and so many tokens of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Things.
    pub count: usize,
    /// Tokens of all of them as they are written.
    pub tokens: usize,
}

impl Room {
    const fn new(count: usize, tokens: usize) -> Room {
        Room { count, tokens }
    }

    const fn halved(self, times: u32) -> Room {
        Room { count: self.count >> times, tokens: self.tokens >> times }
    }
}

/// How much of everything goes into a prompt.
///
/// The default is for a model with a window of 32,000 tokens or more, of which a part stays free for what
/// is said in the turn. Its sum is above `tokens` on purpose: hardly ever is there much of everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// Tokens of the whole prompt: what its model, or its session, has room for.
    pub room: u64,
    /// Tokens of all of it but what was said.
    pub tokens: u64,
    /// Bytes of one entry, note or message.
    pub text: usize,
    /// Bytes of one title, or of the name of a label or category.
    pub title: usize,
    /// Checklists of the task.
    pub checklists: usize,
    /// Labels of the task.
    pub labels: usize,
    /// Items of all its checklists: open ones first, then those last checked.
    pub items: Room,
    /// Entries about it, newest first.
    pub entries: Room,
    /// Tasks beside it, open ones first.
    pub linked: Room,
    /// Bytes of the report of each of them.
    pub linked_report: usize,
    /// Bytes of the agent's own report.
    pub report: usize,
    /// Its notes, newest first. More than `compaction::Bounds::notebook` leaves standing, so that after a
    /// compaction every note is there, either itself or in a summary.
    pub notes: Room,
    /// Summaries of older notes, or of what was said earlier, newest first.
    pub summaries: Room,
    /// Bytes of one of them; more than a summary is made of (`compaction::Bounds`), so it is shown whole.
    pub summary: usize,
    /// What was said before in this session, newest first.
    pub history: Room,
    /// What changed, newest first.
    pub delta: Room,
    /// Hints that say something, newest first.
    pub hints: Room,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            room: u64::MAX,
            tokens: 20_000,
            text: 2_000,
            title: 300,
            checklists: 20,
            labels: 20,
            items: Room::new(80, 3_000),
            entries: Room::new(20, 3_000),
            linked: Room::new(10, 2_500),
            linked_report: 1_000,
            report: limits::REPORT_BYTES_MAX,
            notes: Room::new(64, 3_500),
            summaries: Room::new(2, 2_500),
            summary: 4_400,
            history: Room::new(16, 3_500),
            delta: Room::new(30, 1_500),
            hints: Room::new(4, 1_500),
        }
    }
}

impl Bounds {
    /// How often [`Bounds::halved`] makes a difference: after that there is no room for anything.
    pub(crate) const HALVINGS: u32 = 12;

    /// The same with room for half as much of everything, so many times.
    pub(crate) fn halved(&self, times: u32) -> Bounds {
        Bounds {
            room: self.room,
            tokens: self.tokens,
            text: self.text >> times,
            title: self.title >> times,
            checklists: self.checklists >> times,
            labels: self.labels >> times,
            items: self.items.halved(times),
            entries: self.entries.halved(times),
            linked: self.linked.halved(times),
            linked_report: self.linked_report >> times,
            report: self.report >> times,
            notes: self.notes.halved(times),
            summaries: self.summaries.halved(times),
            summary: self.summary >> times,
            history: self.history.halved(times),
            delta: self.delta.halved(times),
            hints: self.hints.halved(times),
        }
    }
}
