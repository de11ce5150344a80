//! All that bears a mark, however many reads that takes.

use types::{BodyType, Domain, Record, limits};

use crate::{Marked, Store, StoreError};

/// The live records of a kind that bear one mark, by their ids; at most so many.
///
/// # Errors
/// If the store cannot read.
pub async fn bearing(
    store: &dyn Store,
    domain: Domain,
    (kind, mark): (BodyType, &str),
    max: usize,
) -> Result<Vec<Record>, StoreError> {
    let (mut found, mut after) = (Vec::new(), None);
    while found.len() < max {
        let limit = (max - found.len()).min(limits::ROWS_PER_READ_MAX);
        let page = Marked { after, ..Marked::with(kind, mark, limit) };
        let page = store.marked(domain, page).await?;
        // Only behind a page that is full there may be more.
        let last = page.last().filter(|_| page.len() == limit);
        after = last.map(|last| (mark.to_owned(), last.id.clone()));
        found.extend(page);
        if after.is_none() {
            break;
        }
    }
    Ok(found)
}
