//! The names of what is referred to by id.

use std::collections::BTreeMap;

use store::Listing;
use types::{Body, BodyType, CategoryId, Domain, TaskLabelId, limits};

use crate::{Error, Journal};

/// Names of categories and labels, read once for many records.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names(BTreeMap<String, String>);

impl Names {
    /// The name of a category; its id, if it is gone.
    pub(crate) fn category(&self, id: &CategoryId) -> String {
        self.of(id.as_str())
    }

    /// The name of a label; its id, if it is gone.
    pub(crate) fn label(&self, id: &TaskLabelId) -> String {
        self.of(id.as_str())
    }

    fn of(&self, id: &str) -> String {
        self.0.get(id).cloned().unwrap_or_else(|| id.to_owned())
    }
}

impl Journal {
    /// The names of all categories and labels.
    pub(crate) async fn names(&self) -> Result<Names, Error> {
        let mut names = BTreeMap::new();
        for (owner, kind) in [("categories", BodyType::Category), ("labels", BodyType::TaskLabel)] {
            let listing = Listing::of(owner, kind, limits::ROWS_PER_READ_MAX);
            for record in self.store.records(Domain::Journal, listing).await? {
                let name = match record.body {
                    Body::Category(category) => category.name,
                    Body::TaskLabel(label) => label.name,
                    _ => continue,
                };
                names.insert(record.id.to_string(), name);
            }
        }
        Ok(Names(names))
    }
}
