//! Thread ids.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The name of a chain of messages: `{agent}:run:{wake}` or `{agent}:session:{session}`.
///
/// Made by `rules::thread`, so that the two forms are the only ones.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ThreadId(String);

impl ThreadId {
    /// Takes a name as it stands in a record.
    #[must_use]
    pub fn from_stored(text: String) -> ThreadId {
        ThreadId(text)
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
