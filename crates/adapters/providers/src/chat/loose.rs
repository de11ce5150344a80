//! Fields that servers write in more ways than the one that is documented, where each can be read in one way only.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// The arguments of a call: the text of an object as it is documented, or the object itself.
#[derive(Debug, Default)]
pub(super) struct Arguments(pub(super) String);

/// What is said: words, or parts of which some are words and some are thoughts.
#[derive(Debug, Default)]
pub(super) struct Words {
    pub(super) said: String,
    pub(super) thought: String,
}

/// A part of what is said.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part {
    Text { text: String },
    Thinking { thinking: Words },
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Arguments, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Arguments;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an object, or the text of one")
            }

            fn visit_unit<E>(self) -> Result<Arguments, E> {
                Ok(Arguments::default())
            }

            fn visit_str<E>(self, text: &str) -> Result<Arguments, E> {
                Ok(Arguments(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Arguments, A::Error> {
                let fields = Map::deserialize(MapAccessDeserializer::new(fields))?;
                Ok(Arguments(Value::Object(fields).to_string()))
            }
        }

        from.deserialize_any(Either)
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Words, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Words;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("words, or parts of them")
            }

            fn visit_unit<E>(self) -> Result<Words, E> {
                Ok(Words::default())
            }

            fn visit_str<E>(self, said: &str) -> Result<Words, E> {
                Ok(Words { said: said.to_owned(), ..Words::default() })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Words, A::Error> {
                let mut all = Words::default();
                while let Some(part) = parts.next_element()? {
                    match part {
                        Part::Text { text } => all.said.push_str(&text),
                        Part::Thinking { thinking } => all.thought.push_str(&thinking.said),
                    }
                }
                Ok(all)
            }
        }

        from.deserialize_any(Either)
    }
}
