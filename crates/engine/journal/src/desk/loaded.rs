//! A record that was read for a plan.

use types::{At, Body, Guard, Record, RecordId};

/// A live record, its body known by type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Loaded<T> {
    /// Its id.
    pub(crate) id: RecordId,
    /// At which revision it was read.
    pub(crate) revision: u64,
    /// What it says.
    pub(crate) body: T,
    /// When it was made.
    pub(crate) created_at: At,
    /// When it last changed.
    pub(crate) updated_at: At,
}

/// Where a record stands, or would stand: its id is known before there is one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place<T> {
    /// Its id.
    pub(crate) id: RecordId,
    /// At which revision it was read; a tombstone has one too, and only what never was has none.
    pub(crate) revision: u64,
    /// What it says, if it lives.
    pub(crate) body: Option<T>,
}

impl<T> Place<T> {
    /// It is still as it was read.
    pub(crate) fn unchanged(&self) -> Guard {
        Guard::Revision { record: self.id.clone(), expected: self.revision }
    }
}

impl<T> Loaded<T> {
    /// The record as its type, if it is live and of that type.
    pub(crate) fn from(record: Record, typed: fn(Body) -> Option<T>) -> Option<Loaded<T>> {
        if record.deleted_at.is_some() {
            return None;
        }
        Some(Loaded {
            id: record.id,
            revision: record.revision,
            body: typed(record.body)?,
            created_at: record.created_at,
            updated_at: record.updated_at,
        })
    }

    /// It is still as it was read.
    pub(crate) fn unchanged(&self) -> Guard {
        Guard::Revision { record: self.id.clone(), expected: self.revision }
    }

    /// Its id as the type of its kind.
    pub(crate) fn id<I: std::str::FromStr>(&self) -> I
    where
        I::Err: std::fmt::Debug,
    {
        self.id.as_str().parse().expect("a record's id has the prefix of its kind")
    }
}
