//! From rows to values: one conversion per table.

use std::borrow::Cow;
use std::fmt::Display;

use rusqlite::types::{FromSql, ValueRef};
use rusqlite::{Row, RowIndex};
use serde::de::DeserializeOwned;
use types::{
    At, AuditEntry, Author, Body, ChangeRecord, Content, ContentRef, Counter, Digest, Event, Label,
    Link, Operation, OperationId, Origin, PayloadType, Position, Priority, Record, RecordId,
    Relation, RunKey, SequenceEntry,
};

use crate::fault::Fault;
use crate::pack;

/// A number for SQL. Nothing counted here gets near 63 bits; a caller that asks beyond them asks for
/// what comes after everything.
pub(crate) fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A limit for SQL.
pub(crate) fn limit(rows: usize) -> i64 {
    int(page(rows) as u64)
}

/// How many rows a read answers with at most, however many are asked for.
pub(crate) fn page(rows: usize) -> usize {
    rows.min(types::limits::ROWS_PER_READ_MAX)
}

/// A priority for SQL: its place in the list of all.
pub(crate) fn priority_number(priority: Priority) -> i64 {
    let place = Priority::ALL.iter().position(|known| *known == priority);
    int(place.expect("every priority is in the list") as u64)
}

/// A column of a row, by its name or, where many rows are read, by its place.
pub(crate) trait Column: RowIndex + Copy + Display {}

impl<T: RowIndex + Copy + Display> Column for T {}

/// A row being read.
pub(crate) struct Cells<'a>(pub(crate) &'a Row<'a>);

impl Cells<'_> {
    pub(crate) fn get<T: FromSql>(&self, column: impl Column) -> Result<T, Fault> {
        Ok(self.0.get(column)?)
    }

    pub(crate) fn text(&self, column: impl Column) -> Result<String, Fault> {
        self.get(column)
    }

    pub(crate) fn number(&self, column: impl Column) -> Result<u64, Fault> {
        let number: i64 = self.get(column)?;
        u64::try_from(number).map_err(|_| Fault::row(format!("{column} is negative")))
    }

    pub(crate) fn maybe_number(&self, column: impl Column) -> Result<Option<u64>, Fault> {
        match self.get::<Option<i64>>(column)? {
            None => Ok(None),
            Some(_) => self.number(column).map(Some),
        }
    }

    pub(crate) fn at(&self, column: impl Column) -> Result<At, Fault> {
        Ok(At::from_millis(self.get(column)?))
    }

    pub(crate) fn maybe_at(&self, column: impl Column) -> Result<Option<At>, Fault> {
        Ok(self.get::<Option<i64>>(column)?.map(At::from_millis))
    }

    pub(crate) fn digest(&self, column: impl Column) -> Result<Digest, Fault> {
        Ok(Digest::from_bytes(self.get(column)?))
    }

    pub(crate) fn maybe_digest(&self, column: impl Column) -> Result<Option<Digest>, Fault> {
        Ok(self.get::<Option<[u8; 32]>>(column)?.map(Digest::from_bytes))
    }

    /// A text where it lies.
    pub(crate) fn seen(&self, column: impl Column) -> Result<&str, Fault> {
        let text = self.0.get_ref(column)?.as_str();
        text.map_err(|error| Fault::row(format!("{column}: {error}")))
    }

    /// A text that parses into a value.
    pub(crate) fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(
        &self,
        column: impl Column,
    ) -> Result<T, Fault> {
        self.seen(column)?.parse().map_err(|error| Fault::row(format!("{column}: {error}")))
    }

    /// A text that may be absent and otherwise parses into a value.
    pub(crate) fn maybe_parsed<T: std::str::FromStr<Err: std::fmt::Display>>(
        &self,
        column: impl Column,
    ) -> Result<Option<T>, Fault> {
        match self.0.get_ref(column)? {
            ValueRef::Null => Ok(None),
            _ => self.parsed(column).map(Some),
        }
    }

    /// A text that is one of a list of words.
    pub(crate) fn word<T: Copy>(
        &self,
        column: impl Column,
        all: &[T],
        as_str: impl Fn(T) -> &'static str,
    ) -> Result<T, Fault> {
        let text = self.seen(column)?;
        let known = all.iter().copied().find(|known| as_str(*known) == text);
        known.ok_or_else(|| Fault::row(format!("{column} {text:?}")))
    }

    /// A text that may be packed.
    pub(crate) fn unpacked(&self, column: impl Column) -> Result<Cow<'_, str>, Fault> {
        let text = pack::text(self.0.get_ref(column)?);
        text.map_err(|error| Fault::row(format!("{column}: {error}")))
    }

    /// Bytes that may be packed.
    pub(crate) fn unpacked_bytes(&self, column: impl Column) -> Result<Cow<'_, [u8]>, Fault> {
        let named = |error: &dyn Display| Fault::row(format!("{column}: {error}"));
        let stored = self.0.get_ref(column)?.as_blob().map_err(|error| named(&error))?;
        pack::bytes(stored).map_err(|error| named(&error))
    }

    /// A text that holds JSON and may be packed.
    pub(crate) fn json<T: DeserializeOwned>(&self, column: impl Column) -> Result<T, Fault> {
        serde_json::from_str(&self.unpacked(column)?)
            .map_err(|error| Fault::row(format!("{column}: {error}")))
    }
}

/// A record, from the columns in the order in which every statement names them first. A turn reads some
/// hundred, and looking each of their columns up by name could be seen in a profile.
pub(crate) fn record(row: &Row<'_>) -> Result<Record, Fault> {
    let cells = Cells(row);
    Ok(Record {
        id: cells.parsed(0)?,
        body: Body::decode(cells.seen(1)?, cells.unpacked(2)?),
        schema_version: cells.get(3)?,
        revision: cells.number(4)?,
        created_at: cells.at(5)?,
        updated_at: cells.at(6)?,
        deleted_at: cells.maybe_at(7)?,
        clock: cells.json(8)?,
    })
}

pub(crate) fn link(row: &Row<'_>) -> Result<Link, Fault> {
    let cells = Cells(row);
    Ok(Link {
        id: cells.parsed("id")?,
        from: cells.parsed("from_id")?,
        to: cells.parsed("to_id")?,
        relation: Relation::from(cells.text("type")?),
        hidden: cells.get("hidden")?,
        body: cells.json("body")?,
        created_at: cells.at("created_at")?,
        updated_at: cells.at("updated_at")?,
        deleted_at: cells.maybe_at("deleted_at")?,
        clock: cells.json("clock")?,
    })
}

/// A content, from its columns in the order in which statements name them.
pub(crate) fn content(row: &Row<'_>) -> Result<Content, Fault> {
    let cells = Cells(row);
    let bytes = cells.unpacked_bytes(2)?.into_owned();
    Ok(Content { subject: cells.parsed(0)?, label: label(cells.seen(1)?), bytes })
}

/// A label. One that cannot be read is the absence of one, and that means untrusted.
pub(crate) fn label(text: &str) -> Label {
    serde_json::from_str(text).unwrap_or_else(|_| Label::untrusted())
}

/// A change, from its columns in the order in which statements name them.
pub(crate) fn change(row: &Row<'_>) -> Result<ChangeRecord, Fault> {
    let cells = Cells(row);
    Ok(ChangeRecord {
        position: Position(cells.number(0)?),
        host: cells.parsed(1)?,
        counter: Counter(cells.number(2)?),
        origin: match cells.seen(3)? {
            "local" => Origin::Local,
            "sync" => Origin::Sync,
            other => return Err(Fault::row(format!("origin {other:?}"))),
        },
        author: cells.json::<Author>(4)?,
        at: cells.at(5)?,
        logical_change_key: cells.digest(6)?,
        tokens: cells.json(7)?,
        images: cells.json(8)?,
    })
}

pub(crate) fn sequence_entry(row: &Row<'_>) -> Result<SequenceEntry, Fault> {
    let cells = Cells(row);
    Ok(SequenceEntry {
        host: cells.parsed("host")?,
        counter: Counter(cells.number("counter")?),
        payload_type: PayloadType::new(&cells.text("payload_type")?),
        payload_id: cells.parsed("payload_id")?,
    })
}

pub(crate) fn operation(row: &Row<'_>) -> Result<Operation, Fault> {
    let cells = Cells(row);
    let subject: RecordId = cells.parsed("subject")?;
    let content = |hash| ContentRef { subject: subject.clone(), hash };
    Ok(Operation {
        id: OperationId(cells.digest("operation_id")?),
        verb: cells.text("verb")?,
        run_key: cells.maybe_digest("run_key")?.map(RunKey),
        author: cells.json("author")?,
        at: cells.at("at")?,
        position: cells.maybe_number("position")?.map(Position),
        result: content(cells.digest("result")?),
        pre_image: cells.maybe_digest("pre_image")?.map(content),
        subject,
    })
}

pub(crate) fn audit_entry(row: &Row<'_>) -> Result<AuditEntry, Fault> {
    let cells = Cells(row);
    Ok(AuditEntry {
        number: cells.number("number")?,
        at: cells.at("at")?,
        actor: cells.text("actor")?,
        action: cells.text("action")?,
        subject: cells.text("subject")?,
        detail: cells.text("detail")?,
        hash: cells.digest("hash")?,
    })
}

pub(crate) fn event(row: &Row<'_>) -> Result<Event, Fault> {
    let cells = Cells(row);
    Ok(Event {
        agent: cells.parsed(0)?,
        event_seq: cells.number(1)?,
        kind: cells.text(2)?,
        at: cells.at(3)?,
        body: cells.json(4)?,
    })
}
