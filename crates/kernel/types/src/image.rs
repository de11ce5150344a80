//! Images: what a change did to a record, as far as matching and facts need to know.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::RecordId;

/// The properties of a record by which it can be matched: ids, states, numbers and dates. Never
/// words that somebody wrote; those lie in the record alone.
pub type Properties = BTreeMap<String, String>;

/// What a change did to one record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Which record.
    pub id: RecordId,
    /// Its semantic key, such as `TASK`.
    pub kind: String,
    /// What it was; absent if it was not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Properties>,
    /// What it is; absent if it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Properties>,
    /// The fields that differ; empty for a record that is new or gone.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub fields: BTreeSet<String>,
}
