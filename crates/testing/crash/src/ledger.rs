//! What a writer knows of its own commits.

use std::collections::BTreeSet;

use store::StoreError;
use types::Applied;

use crate::left::{Left, Trace};
use crate::plan::{Step, Verb};

/// A writer's private account of what it asked for and what it was told, in order.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// One entry per commit that was submitted.
    pub entries: Vec<Entry>,
}

/// One commit: what it must have left if it happened, and what is known of that.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its name in sentences, unique among all writers of a home.
    pub name: String,
    /// What it did.
    pub verb: Verb,
    /// What it must have left.
    pub left: Left,
    /// What is known.
    pub fate: Fate,
}

/// What is known of a commit.
#[derive(Debug, Clone)]
pub enum Fate {
    /// It was answered `Applied`: it must be there.
    Acknowledged(Applied),
    /// It was answered, but not `Applied`: nothing of it may be there.
    Refused(String),
    /// It failed or was never answered: all of it may be there, or nothing.
    InDoubt(Option<StoreError>),
    /// It was in doubt, and a verdict after an earlier crash has seen which way it went: so it stays.
    Settled {
        /// Whether it was there.
        there: bool,
    },
}

impl Entry {
    /// Whether it leaves an audit entry.
    #[must_use]
    pub fn is_audited(&self) -> bool {
        self.left.traces.iter().any(|trace| matches!(trace, Trace::Audit { .. }))
    }
}

impl Ledger {
    /// Notes a commit.
    pub fn note(&mut self, tag: &str, step: Step, fate: Fate) {
        let name = format!("{tag}-{} ({})", step.number, step.verb.as_str());
        self.entries.push(Entry { name, verb: step.verb, left: step.left, fate });
    }

    /// Ends the doubts: a verdict has found the commits of these names, and no others.
    pub fn settle(&mut self, found: &BTreeSet<String>) {
        for entry in &mut self.entries {
            if matches!(entry.fate, Fate::InDoubt(_)) {
                entry.fate = Fate::Settled { there: found.contains(&entry.name) };
            }
        }
    }

    /// Acknowledged commits.
    #[must_use]
    pub fn acknowledged(&self) -> u64 {
        self.count(|fate| matches!(fate, Fate::Acknowledged(_)))
    }

    /// Commits in doubt.
    #[must_use]
    pub fn in_doubt(&self) -> u64 {
        self.count(|fate| matches!(fate, Fate::InDoubt(_)))
    }

    fn count(&self, like: impl Fn(&Fate) -> bool) -> u64 {
        self.entries.iter().filter(|entry| like(&entry.fate)).count() as u64
    }
}
