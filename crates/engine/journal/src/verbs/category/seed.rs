//! The categories of a new home.

use serde_json::json;
use types::{Author, Category, Domain, Record, RecordId};

use crate::plan::Plan;
use crate::{Error, Journal, service};

const NAMES: [&str; 2] = ["work", "home"];

impl Journal {
    /// Gives a new home its categories. Done once per home: a category that was removed later does
    /// not come back, and two devices that both start with them have the same ones.
    ///
    /// # Errors
    /// If the store cannot write.
    pub async fn category_seed(&self) -> Result<(), Error> {
        let id = rules::operation::id_of_request("seed_categories", "new home");
        // Asking first keeps a start of an old home free of writes.
        if self.store.operation(Domain::Journal, id).await?.is_some() {
            return Ok(());
        }
        let mut plan = Plan::about(category_id(NAMES[0]));
        for name in NAMES {
            plan.make(category_id(name), Category::named(name));
        }
        let planned = plan.answering(json!({ "names": NAMES })).planned();
        let now = self.world.now();
        let commit = service::commit("seed_categories", id, planned, Author::Runtime, now);
        self.carry_out(commit).await.map(drop)
    }
}

/// Whether a record is one that a new home has, and nobody has touched it.
pub(crate) fn is_untouched_seed(record: &Record) -> bool {
    record.revision == 1 && NAMES.iter().any(|name| record.id == category_id(name))
}

fn category_id(name: &str) -> RecordId {
    format!("category_{name}").parse().expect("the names of new categories are good ids")
}
