//! Ratings: how something was.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{CategoryId, Day, Invalid, RecordId, limits};

/// How something was: a task, a stretch of time, a day. There is one per target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// What is rated.
    pub target_id: RecordId,
    /// Where the target belongs; absent for a day, which belongs to all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_id: Option<CategoryId>,
    /// From 1, poor, to 5, very good.
    pub score: u8,
    /// The same for single sides of it, such as `focus` or `energy`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dimensions: BTreeMap<String, u8>,
    /// What there is to say.
    #[serde(default)]
    pub note: String,
    /// The day it is about.
    pub day: Day,
}

impl Rating {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        let sides = self.dimensions.len();
        Invalid::unless_within("dimensions", sides, limits::RATING_DIMENSIONS_MAX, "dimensions")?;
        for score in self.dimensions.values().chain([&self.score]) {
            if !(1..=5).contains(score) {
                return Err(Invalid::new("score", format!("is {score}, not from 1 to 5")));
            }
        }
        for name in self.dimensions.keys() {
            Invalid::unless_line("dimension", name, limits::NAME_BYTES_MAX)?;
        }
        Invalid::unless_within("note", self.note.len(), limits::NOTE_BYTES_MAX, "bytes")
    }
}
