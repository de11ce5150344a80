//! Values that are written as texts.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserializer, Error, Visitor};

/// Reads a value from its text where that lies. Serde's own borrowed text is a copy, and records hold many ids.
pub(crate) fn parsed<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_str(Text(PhantomData))
}

/// Writes values as they are shown, and reads them as they are parsed.
macro_rules! as_text {
    ($($name:ident),*) => {
        $(
            impl serde::Serialize for $name {
                fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                    s.collect_str(self)
                }
            }

            impl<'de> serde::Deserialize<'de> for $name {
                fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<$name, D::Error> {
                    $crate::text::parsed(d)
                }
            }
        )*
    };
}
pub(crate) use as_text;

struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use crate::{AgentId, At, Digest};

    #[test]
    fn a_value_is_read_from_its_text_and_from_nothing_else() {
        let id: AgentId = serde_json::from_str(r#""agent_\u0061b""#).unwrap();
        assert_eq!(id.as_str(), "agent_ab");
        assert_eq!(serde_json::from_value::<AgentId>("agent_ab".into()).unwrap(), id);
        let wrong = serde_json::from_str::<AgentId>("7").unwrap_err().to_string();
        assert!(wrong.contains("expected a string"), "{wrong}");
        let other = serde_json::from_str::<AgentId>(r#""task_ab""#).unwrap_err().to_string();
        assert!(other.contains("does not start with agent_"), "{other}");
        assert!(serde_json::from_str::<At>(r#""noon""#).is_err());
        assert!(serde_json::from_str::<Digest>(r#""12""#).is_err());
    }
}
