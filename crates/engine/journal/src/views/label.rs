//! Labels.

use store::Listing;
use types::{BodyType, Domain, TaskLabelId, limits};

use crate::desk::{Loaded, typed};
use crate::{Error, Journal};

/// A label as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelView {
    /// Its id.
    pub id: TaskLabelId,
    /// What people call it.
    pub name: String,
    /// In which colour it is shown.
    pub colour: Option<String>,
    /// The name of the category whose tasks may bear it; absent means any.
    pub category: Option<String>,
    /// How many open tasks bear it.
    pub open_tasks: usize,
}

impl Journal {
    /// All labels, by name.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn label_list(&self) -> Result<Vec<LabelView>, Error> {
        let listing = Listing::of("labels", BodyType::TaskLabel, limits::ROWS_PER_READ_MAX);
        let labels = self.store.records(Domain::Journal, listing).await?;
        let (names, open) = (self.names().await?, self.desk().open_by_label().await?);
        let mut views = Vec::new();
        for label in labels.into_iter().filter_map(|label| Loaded::from(label, typed::label)) {
            let id: TaskLabelId = label.id();
            views.push(LabelView {
                open_tasks: open.get(&id).copied().unwrap_or_default(),
                category: label.body.category_id.as_ref().map(|id| names.category(id)),
                name: label.body.name,
                colour: label.body.colour,
                id,
            });
        }
        views.sort_by(|a, b| (&a.name, &a.id).cmp(&(&b.name, &b.id)));
        Ok(views)
    }
}
