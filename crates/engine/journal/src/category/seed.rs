//! The categories of a new home.

use types::{AuditDraft, Author, Category, Commit, Domain, OperationDraft, RecordDraft, Write};

use crate::{Error, Journal};

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
        let category = |name: &str| {
            let id: types::RecordId = category_id(name);
            Write::Record(RecordDraft::live(id, Category { name: name.to_owned() }))
        };
        let subject = category_id(NAMES[0]);
        let commit = Commit {
            operation: Some(OperationDraft {
                id,
                verb: "seed_categories",
                subject: subject.clone(),
                run_key: None,
                result: NAMES.into(),
            }),
            audit: vec![AuditDraft {
                action: "category.seed",
                subject: subject.to_string(),
                detail: String::new(),
            }],
            ..Commit::new(
                Domain::Journal,
                Author::Runtime,
                self.world.now(),
                NAMES.map(category).to_vec(),
            )
        };
        self.carry_out(commit).await.map(drop)
    }
}

fn category_id(name: &str) -> types::RecordId {
    format!("category_{name}").parse().expect("the names of new categories are good ids")
}
