//! Ids are types: one macro list, printed with a prefix, parsed once at the edge.

use std::fmt;

use crate::digits::CROCKFORD;
use crate::{At, Digest, limits};

/// Why a text is not an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// Empty, or longer than [`limits::ID_BYTES_MAX`].
    #[error("an id has 1 to {max} characters, this one has {found}", max = limits::ID_BYTES_MAX)]
    Length {
        /// How long it is.
        found: usize,
    },
    /// A character outside `a-z 0-9 _ -`; above all `|` and `,`, which separate ids in keys.
    #[error("an id has only the characters a-z, 0-9, _ and -, this one has {found:?}")]
    Character {
        /// The first such character.
        found: char,
    },
    /// Another kind of id.
    #[error("it does not start with {expected}_")]
    Prefix {
        /// The prefix of the kind asked for.
        expected: &'static str,
    },
}

/// A time-ordered random id before it gets its kind: 48 bits of time, 80 of chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ulid(u128);

impl Ulid {
    /// Joins a time and a random number, both handed in.
    #[must_use]
    pub fn new(at: At, random: u128) -> Ulid {
        let millis = u128::try_from(at.millis()).unwrap_or(0) & ((1 << 48) - 1);
        Ulid(millis << 80 | random & ((1 << 80) - 1))
    }

    /// Itself, or, if an earlier one is of the same millisecond, one that comes a little after that:
    /// what is made in a row is listed in a row.
    #[must_use]
    pub fn after(self, earlier: Ulid) -> Ulid {
        if self.0 >> 80 != earlier.0 >> 80 {
            return self;
        }
        let step = self.0 & ((1 << 40) - 1);
        Ulid(earlier.0 + 1 + step)
    }
}

impl fmt::Display for Ulid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0_u8; 26];
        for (place, digit) in text.iter_mut().rev().enumerate() {
            *digit = CROCKFORD[((self.0 >> (5 * place)) & 31) as usize];
        }
        f.write_str(str::from_utf8(&text).expect("digits are ASCII"))
    }
}

fn check(text: &str) -> Result<(), IdError> {
    if text.is_empty() || text.len() > limits::ID_BYTES_MAX {
        return Err(IdError::Length { found: text.len() });
    }
    // All of them at once: nearly every id is one.
    let known = |byte: u8| {
        byte.is_ascii_lowercase() | byte.is_ascii_digit() | (byte == b'_') | (byte == b'-')
    };
    if text.bytes().fold(true, |all, byte| all & known(byte)) {
        return Ok(());
    }
    let stranger = text.chars().find(|c| !u8::try_from(*c).is_ok_and(known));
    stranger.map_or(Ok(()), |found| Err(IdError::Character { found }))
}

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident, $parse:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<$name, IdError> {
                check(text)?;
                let parse: fn(&str) -> Result<(), IdError> = $parse;
                parse(text)?;
                Ok($name(text.to_owned()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<$name, D::Error> {
                crate::text::parsed(d)
            }
        }
    };
}

macro_rules! prefixed_ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {
        $(
            text_id!($(#[$doc])* $name, |text| match text.strip_prefix(concat!($prefix, "_")) {
                Some(rest) if !rest.is_empty() => Ok(()),
                _ => Err(IdError::Prefix { expected: $prefix }),
            });

            impl $name {
                /// A new one, ordered by its time of birth.
                #[must_use]
                pub fn new(ulid: Ulid) -> $name {
                    $name(format!(concat!($prefix, "_{}"), ulid))
                }

                /// The one that a hash names: two hosts that hash the same fields agree on it.
                #[must_use]
                pub fn from_digest(digest: &Digest) -> $name {
                    let hex = digest.to_string();
                    $name(format!(concat!($prefix, "_{}"), &hex[..32]))
                }

                /// As [`Self::from_digest`], for what belongs together: ids of one family begin alike, and
                /// so do their places in an index.
                #[must_use]
                pub fn from_family(family: &Digest, digest: &Digest) -> $name {
                    let (family, own) = (family.to_string(), digest.to_string());
                    $name(format!(concat!($prefix, "_{}{}"), &family[..8], &own[..24]))
                }
            }

            impl From<$name> for RecordId {
                fn from(id: $name) -> RecordId {
                    RecordId(id.0)
                }
            }

            impl From<&$name> for RecordId {
                fn from(id: &$name) -> RecordId {
                    RecordId(id.0.clone())
                }
            }
        )*
    };
}

text_id!(
    /// The id of any record, its kind forgotten: what links, change units and guards speak of.
    RecordId,
    |_| Ok(())
);

prefixed_ids! {
    /// A durable identity that sleeps, wakes, works and reports.
    AgentId = "agent";
    /// A block of a day plan.
    BlockId = "block";
    /// A category of the journal.
    CategoryId = "category";
    /// A checklist of a task.
    ChecklistId = "checklist";
    /// An entry of the journal.
    EntryId = "entry";
    /// One admitted input of an agent.
    EnvelopeId = "envelope";
    /// A device in sync; the name of a stream of commits.
    HostId = "host";
    /// An item of a checklist.
    ItemId = "item";
    /// A link between two records.
    LinkId = "link";
    /// A message of a thread.
    MessageId = "message";
    /// The plan of a day.
    PlanId = "plan";
    /// A rating of something in the journal.
    RatingId = "rating";
    /// A schedule of an agent.
    ScheduleId = "schedule";
    /// The durable state of an agent.
    StateId = "state";
    /// A subscription of an agent to changes.
    SubscriptionId = "subscription";
    /// A task in the journal.
    TaskId = "task";
    /// A label that tasks can bear.
    TaskLabelId = "label";
    /// A stretch of time that was spent.
    TimeEntryId = "time";
    /// One call of a tool by an agent.
    InvocationId = "invocation";
    /// An interactive thread that begins and ends.
    SessionId = "session";
    /// A chain of sessions with common ground.
    ConversationId = "conversation";
    /// What the operator says about the common ground of a conversation.
    GroundingId = "grounding";
    /// One agreement to a model.
    ConsentId = "consent";
    /// A report of an agent.
    ReportId = "report";
    /// Which report of an agent stands.
    ReportHeadId = "head";
    /// The turn of a run.
    TurnId = "turn";
    /// The right to wake one agent from outside.
    TriggerId = "trigger";
    /// Something that an agent waits for.
    WaitId = "wait";
}

macro_rules! hash_ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
                serde::Serialize, serde::Deserialize)]
            #[serde(transparent)]
            pub struct $name(pub Digest);

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.fmt(f)
                }
            }

            impl std::str::FromStr for $name {
                type Err = <Digest as std::str::FromStr>::Err;

                fn from_str(text: &str) -> Result<$name, Self::Err> {
                    text.parse().map($name)
                }
            }
        )*
    };
}

hash_ids! {
    /// The name of a wake: the same cause gives the same key on every host.
    RunKey;
    /// The name of one mutating call: the same intent gives the same id however often it is tried.
    OperationId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_ids_sort_after_earlier_ones() {
        let early = TaskId::new(Ulid::new(At::from_millis(1_000), u128::MAX));
        let late = TaskId::new(Ulid::new(At::from_millis(1_001), 0));
        assert!(early < late);
        assert_eq!(early.as_str().len(), "task_".len() + 26);
        assert_eq!(early.as_str().parse::<TaskId>().unwrap(), early);
    }

    #[test]
    fn of_one_millisecond_the_second_comes_after_the_first() {
        let first = Ulid::new(At::from_millis(1_000), u128::MAX >> 1);
        let second = Ulid::new(At::from_millis(1_000), 7);
        assert!(second < first && second.after(first) > first);
        assert_ne!(second.after(first), Ulid::new(At::from_millis(1_000), 8).after(first));
        let earlier = Ulid::new(At::from_millis(999), 7);
        assert_eq!(earlier.after(first), earlier, "a clock that was set back is believed");
    }

    #[test]
    fn an_id_of_another_kind_is_refused_at_decode() {
        let task = TaskId::new(Ulid::new(At::EPOCH, 1));
        assert!(matches!(task.as_str().parse::<AgentId>(), Err(IdError::Prefix { .. })));
        let json = serde_json::to_string(&task).unwrap();
        assert!(serde_json::from_str::<AgentId>(&json).is_err());
        assert_eq!(serde_json::from_str::<TaskId>(&json).unwrap(), task);
    }

    #[test]
    fn separators_and_overlong_texts_are_refused() {
        for bad in ["task_a|b", "task_a,b", "task_A", "task_", "", "task"] {
            assert!(bad.parse::<TaskId>().is_err(), "{bad:?} was accepted");
        }
        let long = format!("task_{}", "x".repeat(limits::ID_BYTES_MAX));
        assert!(matches!(long.parse::<TaskId>(), Err(IdError::Length { .. })));
    }
}
