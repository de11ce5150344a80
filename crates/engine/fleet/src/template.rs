//! Templates: what a new agent is made from.

use crate::Error;

/// A template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// Watches the tasks of a category and leaves a receipt for every look. It calls no model.
    Watcher,
}

impl Template {
    /// Every template.
    pub const ALL: [Template; 1] = [Template::Watcher];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Template::Watcher => "watcher",
        }
    }

    /// The template of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(name: &str) -> Result<Template, Error> {
        let found = Template::ALL.into_iter().find(|template| template.as_str() == name);
        found.ok_or_else(|| Error::UnknownTemplate { name: name.to_owned() })
    }
}
