//! What stands around the task in a prompt.

use serde_json::Value;
use types::{At, Day, Due, RecordId, Trust};

use super::field::{each, holds, number, parsed, text, word};

/// A task beside the one that is tended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Linked {
    pub(crate) id: Option<RecordId>,
    pub(crate) title: String,
    pub(crate) status: Option<String>,
    pub(crate) relation: String,
    /// The relation points from the tended task to this one.
    pub(crate) outward: bool,
    pub(crate) report: Option<String>,
}

impl Linked {
    pub(super) fn read(value: &Value) -> Option<Linked> {
        Some(Linked {
            id: parsed(value, "id"),
            title: text(value, "title")?,
            status: word(value, "status"),
            relation: word(value, "relation").unwrap_or_else(|| "relates_to".to_owned()),
            outward: text(value, "direction").as_deref() != Some("from"),
            report: text(value, "latestTaskAgentReport"),
        })
    }

    /// Whether it is still to be done.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.status.as_deref(), Some("done" | "cancelled"))
    }

    /// Whether the tended task cannot go on before it.
    pub(crate) fn blocks(&self) -> bool {
        self.relation == "blocks" && !self.outward && self.is_open()
    }
}

/// The report that stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Standing {
    pub(crate) content: String,
    pub(crate) written_at: Option<String>,
}

impl Standing {
    pub(super) fn read(value: &Value) -> Option<Standing> {
        let content = text(value, "content")?;
        Some(Standing { content, written_at: text(value, "written_at") })
    }
}

/// What happened to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Did {
    Made,
    Changed,
    Removed,
}

/// Something that changed since the agent last looked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    pub(crate) record: Option<RecordId>,
    pub(crate) kind: String,
    pub(crate) did: Did,
    pub(crate) fields: Vec<String>,
    pub(crate) by_agent: bool,
    pub(crate) title: Option<String>,
}

impl Change {
    pub(super) fn read(value: &Value) -> Option<Change> {
        let did = match value.get("did")?.as_str()? {
            "made" => Did::Made,
            "changed" => Did::Changed,
            "removed" => Did::Removed,
            _ => return None,
        };
        Some(Change {
            record: parsed(value, "record"),
            kind: word(value, "kind")?,
            did,
            fields: each(value, "fields").filter_map(Value::as_str).map(str::to_owned).collect(),
            by_agent: text(value, "by").as_deref() == Some("agent"),
            title: text(value, "title"),
        })
    }
}

/// Why the agent is awake.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Wake {
    /// By the clock where the person is, with its distance from UTC behind it.
    pub(crate) now: Option<String>,
    pub(crate) first: bool,
}

impl Wake {
    pub(super) fn read(value: &Value) -> Wake {
        Wake { now: text(value, "now"), first: holds(value, "first") }
    }

    /// The day and the minute where the person is, as far as they are told.
    pub(crate) fn here(&self) -> Option<Due> {
        self.now.as_deref()?.get(..16)?.parse().ok()
    }

    /// Days since an instant, as far as both are told.
    pub(crate) fn days_since(&self, then: &str) -> Option<i64> {
        const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
        let (now, then): (At, At) = (self.now.as_deref()?.parse().ok()?, then.parse().ok()?);
        Some(now.millis().saturating_sub(then.millis()) / DAY_MS)
    }
}

/// The day that an instant begins with.
pub(crate) fn day(instant: &str) -> Option<Day> {
    instant.get(..10)?.parse().ok()
}

/// What somebody said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Input {
    pub(crate) id: Option<RecordId>,
    pub(crate) from: String,
    pub(crate) text: String,
    /// Bytes of it that were not shown.
    pub(crate) left_out: u64,
    /// It is the operator's word: only that is followed.
    pub(crate) binds: bool,
}

impl Input {
    /// Reads words. The label of the part must not speak against what its body claims.
    pub(super) fn read(value: &Value, trust: Trust) -> Option<Input> {
        let instructs = text(value, "authority").as_deref() == Some("operator_instruction");
        Some(Input {
            id: parsed(value, "id"),
            from: word(value, "from").unwrap_or_else(|| "somebody".to_owned()),
            text: text(value, "text")?,
            left_out: number(value, "left_out").unwrap_or(0),
            binds: instructs && trust == Trust::Operator,
        })
    }
}
