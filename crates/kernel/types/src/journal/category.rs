//! Categories and labels: how people sort what they keep.

use serde::{Deserialize, Serialize};

use crate::{CategoryId, Invalid, limits};

/// A category: a part of life that tasks belong to and that agents are admitted to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    /// What people call it.
    pub name: String,
    /// In which colour it is shown, as `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
}

impl Category {
    /// A category of this name.
    pub fn named(name: impl Into<String>) -> Category {
        Category { name: name.into(), colour: None }
    }

    pub(crate) fn check(&self) -> Result<(), Invalid> {
        check_name(&self.name)?;
        check_colour(self.colour.as_deref())
    }
}

/// A label that tasks can bear.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskLabel {
    /// What people call it.
    pub name: String,
    /// In which colour it is shown, as `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    /// The category whose tasks may bear it; absent means any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_id: Option<CategoryId>,
}

impl TaskLabel {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        check_name(&self.name)?;
        check_colour(self.colour.as_deref())
    }
}

fn check_name(name: &str) -> Result<(), Invalid> {
    Invalid::unless_line("name", name, limits::NAME_BYTES_MAX)
}

fn check_colour(colour: Option<&str>) -> Result<(), Invalid> {
    let Some(colour) = colour else { return Ok(()) };
    let digits = colour.strip_prefix('#').unwrap_or_default();
    if digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit()) {
        return Ok(());
    }
    Err(Invalid::new("colour", format!("{colour:?} is not like #2f7d4f")))
}
