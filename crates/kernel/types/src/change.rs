//! Changes: what a commit leaves behind for everybody who has to know.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{At, Author, Digest, HostId, Image, Origin, RecordId, Token};

/// One of the two persistence domains, each in a file of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Domain {
    /// What people author: tasks, notes, plans.
    Journal,
    /// What agents are, remember and do.
    Agent,
}

impl Domain {
    /// Both.
    pub const ALL: [Domain; 2] = [Domain::Journal, Domain::Agent];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Domain::Journal => "journal",
            Domain::Agent => "agent",
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A host's count of its commits in one domain: contiguous, from 1. Zero means none.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Counter(pub u64);

/// A place in the change log of one file. Local to that file; never compared across hosts.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Position(pub u64);

impl Position {
    /// Whether there was something between this and where a log begins, or goes on: it was let go.
    #[must_use]
    pub const fn misses_some_before(self, next: Position) -> bool {
        next.0 > self.0.saturating_add(1)
    }
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What kind of thing a change unit carries, as other hosts name it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PayloadType(String);

impl PayloadType {
    /// Takes a name; `|` and `,` separate fields in keys, so they are dropped.
    #[must_use]
    pub fn new(name: &str) -> PayloadType {
        PayloadType(name.replace(['|', ','], ""))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One synced record of one commit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChangeUnit {
    /// Made here, or applied from another host. Not part of the unit's key: both hosts must agree.
    pub origin: Origin,
    /// The host that made the commit.
    pub host: HostId,
    /// Which of its commits.
    pub counter: Counter,
    /// What kind of thing.
    pub payload_type: PayloadType,
    /// Which one.
    pub payload_id: RecordId,
}

/// A commit as the change log remembers it: the change batch that consumers read by cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRecord {
    /// Where in this file's log.
    pub position: Position,
    /// The host that made the commit.
    pub host: HostId,
    /// Which of its commits in this domain.
    pub counter: Counter,
    /// Made here, or applied from another host.
    pub origin: Origin,
    /// Who wrote it; what an agent wrote never wakes that agent.
    pub author: Author,
    /// When.
    pub at: At,
    /// The identity of the whole change, the same on every host.
    pub logical_change_key: Digest,
    /// What it is about, sorted, without repeats.
    pub tokens: Vec<Token>,
    /// What it did to each record.
    pub images: Vec<Image>,
}

impl ChangeRecord {
    /// Whether it only related records to each other, or ended that: it did nothing to any of them.
    #[must_use]
    pub fn only_relates(&self) -> bool {
        self.images.is_empty() && !self.tokens.is_empty()
    }

    /// The records that it is about.
    pub fn subjects(&self) -> impl Iterator<Item = RecordId> {
        self.tokens.iter().filter_map(Token::record)
    }
}

/// What a log holds for somebody after a place in it, and up to where it was looked through.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Delta {
    /// Up to where the log was looked through; taken before the changes were read.
    pub head: Position,
    /// The changes, oldest first.
    pub changes: Vec<ChangeRecord>,
    /// There is more after the head: one page was not enough.
    pub more: bool,
    /// The log begins after where it was asked from: nobody knows any more what came first.
    pub trimmed: bool,
}

/// A row of the sequence log: proof that a host's record was seen, by which gaps are found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SequenceEntry {
    /// The host that made the commit.
    pub host: HostId,
    /// Which of its commits.
    pub counter: Counter,
    /// What kind of thing.
    pub payload_type: PayloadType,
    /// Which one.
    pub payload_id: RecordId,
}
