//! From the last characters of an id, as people type them, to the id.

use types::{Domain, RecordId};

use crate::{Store, StoreError};

/// Which ids end so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// None does.
    Nobodys,
    /// This one.
    Of(RecordId),
    /// More than one does, and nobody guesses which is meant.
    OfSeveral,
}

impl Ending {
    /// Looks for ids of a kind, which all begin with its prefix.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn find(
        store: &dyn Store,
        domain: Domain,
        prefix: &str,
        end: String,
    ) -> Result<Ending, StoreError> {
        let mut found = store.ids_ending(domain, format!("{prefix}_"), end, 2).await?;
        Ok(match (found.pop(), found.pop()) {
            (None, _) => Ending::Nobodys,
            (Some(id), None) => Ending::Of(id),
            (Some(_), Some(_)) => Ending::OfSeveral,
        })
    }
}
