//! What rests on a record that would go.

use store::Listing;
use types::{BodyType, Domain, RecordId, limits};

use crate::{Error, Journal};

use super::check::owners;

/// What may lie under a category or a task in any number.
const MANY: [BodyType; 3] = [BodyType::Task, BodyType::Entry, BodyType::TimeEntry];

// What is listed from both ends is more than leaves in one commit, or all there is.
const _: () = assert!(2 * limits::ROWS_PER_READ_MAX >= limits::COMMIT_WRITES_MAX);

impl Journal {
    /// What lies under a record, is linked with it or bears it: all of it, or so much that not all can be
    /// among those that an undo touches.
    pub(super) async fn resting_on(
        &self,
        id: &RecordId,
        touched: usize,
    ) -> Result<Vec<RecordId>, Error> {
        let page = limits::ROWS_PER_READ_MAX;
        let mut resting = self.store.dependents(Domain::Journal, id.clone(), page).await?;
        if resting.len() == page {
            resting.extend(self.at_both_ends(id).await?);
        }
        if let Ok(label) = id.as_str().parse() {
            // One more than could leave it, so that one that stays is among them.
            let bearing = self.desk().bearing(&label, touched + 1).await?;
            resting.extend(bearing.into_iter().map(|task| task.id));
        }
        if let Ok(category) = id.as_str().parse() {
            // Notes about a task lie under it, and in a category all the same.
            let mark = rules::mark::lying_in(&category);
            let entries = (BodyType::Entry, mark.as_str());
            let lying = store::bearing(&*self.store, Domain::Journal, entries, touched + 1).await?;
            resting.extend(lying.into_iter().map(|entry| entry.id));
            let labels = Listing::of("labels", BodyType::TaskLabel, page);
            let labels = self.store.records(Domain::Journal, labels).await?;
            let bound = labels.into_iter().filter(|label| owners(&label.body).contains(id));
            resting.extend(bound.map(|label| label.id));
        }
        Ok(resting)
    }

    /// The oldest and the newest of what lies under a record.
    async fn at_both_ends(&self, id: &RecordId) -> Result<Vec<RecordId>, Error> {
        let page = limits::ROWS_PER_READ_MAX;
        let mut found = Vec::new();
        for kind in MANY {
            let owners = vec![id.clone()];
            found.extend(self.store.records_of(Domain::Journal, owners, kind, page).await?);
            let newest = Listing::of(id.as_str(), kind, page);
            found.extend(self.store.records(Domain::Journal, newest).await?);
        }
        Ok(found.into_iter().map(|record| record.id).collect())
    }
}
