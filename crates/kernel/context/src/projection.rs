//! Which parts of a prompt may cross which boundary, and with which fields.
//!
//! What builds a prompt leaves out what is not on the list ([`Prompt::project`](crate::Prompt::project));
//! what sends it checks again. The two share the list and nothing else, so a part or a field that got in
//! by mistake stops the call instead of leaving the house.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use types::{Block, BlockKind};

use crate::part::heading;

/// What may cross a boundary for one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allow(Vec<BlockKind>);

/// Something that may not cross the boundary was about to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{part} may not be sent")]
pub struct Blocked {
    /// The part, or the part and its field.
    pub part: String,
}

impl Allow {
    /// These parts, with the fields they are known to have.
    #[must_use]
    pub fn only(kinds: &[BlockKind]) -> Allow {
        Allow(kinds.to_vec())
    }

    /// What a turn may tell a model: every part that [`assemble`](crate::assemble) makes.
    #[must_use]
    pub fn turn() -> Allow {
        Allow::only(&[
            BlockKind::Policy,
            BlockKind::Role,
            BlockKind::Task,
            BlockKind::Linked,
            BlockKind::Report,
            BlockKind::Observations,
            BlockKind::History,
            BlockKind::Delta,
            BlockKind::Hints,
            BlockKind::Wake,
            BlockKind::Input,
        ])
    }

    /// What a model may be told that is asked what somebody means.
    #[must_use]
    pub fn meaning() -> Allow {
        Allow::only(&[BlockKind::Policy, BlockKind::Input])
    }

    /// Whether a part is on the list.
    #[must_use]
    pub fn has(&self, kind: BlockKind) -> bool {
        self.0.contains(&kind)
    }
}

/// The fields that a part may have, at any depth.
const fn fields(kind: BlockKind) -> &'static [&'static str] {
    match kind {
        BlockKind::Policy | BlockKind::Role => &[],
        BlockKind::Task => &[
            "at",
            "category",
            "checked",
            "checklists",
            "due",
            "entries",
            "estimate_minutes",
            "id",
            "items",
            "kind",
            "labels",
            "language",
            "left_out",
            "priority",
            "status",
            "text",
            "time_entries",
            "time_spent_minutes",
            "title",
        ],
        BlockKind::Linked => {
            &["direction", "id", "latestTaskAgentReport", "left_out", "relation", "status", "title"]
        }
        BlockKind::Report => &["content", "id", "written_at"],
        BlockKind::Observations => &["at", "left_out", "summary", "text"],
        BlockKind::History => &["at", "left_out", "text", "who"],
        BlockKind::Delta => {
            &["at", "by", "did", "earlier", "fields", "kind", "left_out", "more", "record", "title"]
        }
        BlockKind::Hints => {
            &["at", "content_type", "count", "left_out", "source", "text", "trigger", "trust"]
        }
        BlockKind::Wake => &["asks", "first", "hints", "now", "reason", "why"],
        BlockKind::Input => &["authority", "from", "left_out", "text", "via"],
    }
}

/// Checks what is about to cross a boundary.
///
/// # Errors
/// If a part is not on the list, is not what its kind should be, or has a field that is not on the list.
pub fn check(blocks: &[Block], allow: &Allow) -> Result<(), Blocked> {
    blocks.iter().try_for_each(|block| check_block(block, allow))
}

fn check_block(block: &Block, allow: &Allow) -> Result<(), Blocked> {
    let part = block.kind.as_str();
    let blocked = || Blocked { part: part.to_owned() };
    if !allow.has(block.kind) {
        return Err(blocked());
    }
    let Some(heading) = heading(block.kind) else { return Ok(()) };
    let json = block.text.strip_prefix(heading).and_then(|rest| rest.strip_prefix('\n'));
    let json = json.ok_or_else(blocked)?;
    match stranger(json, fields(block.kind)).map_err(|_| blocked())? {
        Some(field) => Err(Blocked { part: format!("{part}.{field}") }),
        None => Ok(()),
    }
}

/// The first field that is not on the list.
fn stranger(json: &str, allowed: &[&str]) -> serde_json::Result<Option<String>> {
    let mut reading = serde_json::Deserializer::from_str(json);
    let found = Stranger(allowed).deserialize(&mut reading)?;
    reading.end()?;
    Ok(found)
}

/// Looks for the first field that is not on the list, without keeping anything of the rest: it is done before
/// every question to a model.
#[derive(Clone, Copy)]
struct Stranger<'a>(&'a [&'a str]);

impl<'de> DeserializeSeed<'de> for Stranger<'_> {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Option<String>, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Stranger<'_> {
    type Value = Option<String>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Option<String>, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Option<String>, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Option<String>, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Option<String>, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Option<String>, E> {
        Ok(None)
    }

    fn visit_str<E>(self, _: &str) -> Result<Option<String>, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Option<String>, A::Error> {
        let mut first = None;
        while let Some(found) = list.next_element_seed(self)? {
            first = first.or(found);
        }
        Ok(first)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Option<String>, A::Error> {
        let mut first = None;
        while let Some(unknown) = object.next_key_seed(Name(self.0))? {
            let within = object.next_value_seed(self)?;
            first = first.or(unknown).or(within);
        }
        Ok(first)
    }
}

/// The name of a field, if it is not on the list.
struct Name<'a>(&'a [&'a str]);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Option<String>, D::Error> {
        name.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<String>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a field")
    }

    fn visit_str<E>(self, name: &str) -> Result<Option<String>, E> {
        Ok((!self.0.contains(&name)).then(|| name.to_owned()))
    }
}
