//! Extension maps: room for what has no field yet.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Invalid, limits};

/// A map of namespaced keys, `namespace:key`, each registered in [`Extension::REGISTERED`].
///
/// Neither merging nor policy ever reads it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Extension(pub BTreeMap<String, Value>);

impl Extension {
    /// The keys that may be used. A new key is registered here, with the code that needs it.
    pub const REGISTERED: &[&str] = &["ui:color"];

    pub(super) fn check(&self, field: &'static str) -> Result<(), Invalid> {
        Invalid::unless_within(field, self.0.len(), limits::EXTENSION_KEYS_MAX, "keys")?;
        match self.0.keys().find(|key| !Extension::REGISTERED.contains(&key.as_str())) {
            Some(key) => Err(Invalid::new(field, format!("has the unregistered key {key:?}"))),
            None => Ok(()),
        }
    }
}
