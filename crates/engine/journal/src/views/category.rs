//! Categories.

use types::CategoryId;

use crate::{Error, Journal};

/// A category as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryView {
    /// Its id.
    pub id: CategoryId,
    /// What people call it.
    pub name: String,
    /// In which colour it is shown.
    pub colour: Option<String>,
}

impl Journal {
    /// All categories, by name.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn category_list(&self) -> Result<Vec<CategoryView>, Error> {
        let categories = self.desk().categories().await?;
        Ok(categories
            .into_iter()
            .map(|found| CategoryView {
                id: found.id(),
                name: found.body.name,
                colour: found.body.colour,
            })
            .collect())
    }

    /// The category of a name.
    ///
    /// # Errors
    /// If there is none; the error names those there are.
    pub async fn category_find(&self, name: &str) -> Result<CategoryView, Error> {
        let found = self.desk().category(name).await?;
        Ok(CategoryView { id: found.id(), name: found.body.name, colour: found.body.colour })
    }
}
