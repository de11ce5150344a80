//! Instants.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;

use crate::text::as_text;

/// An instant: milliseconds since 1970 in UTC.
///
/// Databases hold the number, people and JSON see RFC 3339. Nobody in the kernel can make one of
/// "now": it comes in from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At(i64);

impl At {
    /// The first instant there is.
    pub const EPOCH: At = At(0);

    /// From milliseconds since 1970.
    #[must_use]
    pub const fn from_millis(millis: i64) -> At {
        At(millis)
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// This instant and `millis` more, stopping at the ends of what can be named.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> At {
        At(self.0.saturating_add(millis))
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Timestamp::from_millisecond(self.0) {
            Ok(timestamp) => write!(f, "{timestamp:.3}"),
            // Outside the years jiff names; still an instant, so still printed.
            Err(_) => write!(f, "@{}ms", self.0),
        }
    }
}

/// A text that names no instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a date, a time of day and a zone are needed, such as 2026-11-01T00:00:00Z")]
pub struct ParseAtError;

impl FromStr for At {
    type Err = ParseAtError;

    fn from_str(text: &str) -> Result<At, ParseAtError> {
        let timestamp = text.parse::<Timestamp>().map_err(|_| ParseAtError)?;
        Ok(At(timestamp.as_millisecond()))
    }
}

as_text!(At);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_prints_and_parses_as_rfc_3339() {
        let at = At::from_millis(1_794_700_800_123);
        assert_eq!(at.to_string(), "2026-11-15T00:00:00.123Z");
        assert_eq!(at.to_string().parse::<At>().unwrap(), at);
        assert_eq!(serde_json::to_string(&at).unwrap(), "\"2026-11-15T00:00:00.123Z\"");
        let refused = serde_json::from_str::<At>("\"2026-11-01\"").unwrap_err().to_string();
        assert!(refused.contains("a time of day and a zone are needed"), "{refused}");
    }
}
