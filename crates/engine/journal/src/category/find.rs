//! Finding categories by name.

use store::Listing;
use types::{Body, BodyType, CategoryId, Domain, limits};

use crate::{Error, Journal};

/// A category as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryView {
    /// Its id.
    pub id: CategoryId,
    /// What people call it.
    pub name: String,
}

impl Journal {
    /// All categories, by name.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn category_list(&self) -> Result<Vec<CategoryView>, Error> {
        let listing = Listing::of("categories", BodyType::Category, limits::ROWS_PER_READ_MAX);
        let records = self.store.records(Domain::Journal, listing).await?;
        let mut views: Vec<CategoryView> = records
            .into_iter()
            .filter_map(|record| match record.body {
                Body::Category(category) => {
                    let id = record.id.as_str().parse().ok()?;
                    Some(CategoryView { id, name: category.name })
                }
                _ => None,
            })
            .collect();
        views.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(views)
    }

    /// The category of a name.
    ///
    /// # Errors
    /// If there is none; the error names those there are.
    pub async fn category_find(&self, name: &str) -> Result<CategoryView, Error> {
        let categories = self.category_list().await?;
        let known = categories.iter().map(|category| category.name.clone()).collect();
        let found = categories.into_iter().find(|category| category.name == name);
        found.ok_or_else(|| Error::UnknownCategory { name: name.to_owned(), known })
    }
}
