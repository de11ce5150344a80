//! Slots: the few things an agent keeps in mind, each with a version of its own for merging.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Invalid, RecordId, TaskId};

use super::Extension;

/// A value and how often it was set; on concurrent edits the higher version wins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot<T> {
    /// What it holds.
    pub value: T,
    /// How often it was set.
    pub version: u64,
}

impl<T> Slot<T> {
    /// Sets the value; the version grows by one.
    pub fn set(&mut self, value: T) {
        self.value = value;
        self.version += 1;
    }
}

/// What an agent keeps in mind between wakes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slots {
    /// What it is for.
    pub primary_goal: Slot<Option<String>>,
    /// The task it tends.
    pub active_task_id: Slot<Option<TaskId>>,
    /// What it has not finished.
    pub open_loop_ids: Slot<Vec<RecordId>>,
    /// What it was told to prefer.
    pub preference_by_key: Slot<BTreeMap<String, String>>,
    /// What has no field yet.
    pub extension: Slot<Extension>,
}

impl Slots {
    pub(super) fn check(&self) -> Result<(), Invalid> {
        self.extension.value.check("slots.extension")
    }
}
