//! Adding a category.

use serde::Deserialize;
use serde_json::json;
use types::{Category, CategoryId};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;

/// Adds a category.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AddCategory {
    name: String,
    #[serde(default)]
    colour: Option<String>,
}

impl Verb for AddCategory {
    const NAME: &'static str = "add_category";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let name = self.name.trim().to_owned();
        let id = CategoryId::new(desk.world.ulid());
        let mut plan = Plan::about(&id);
        let answer = json!({ "id": id, "name": name });
        plan.make(&id, Category { name, colour: self.colour });
        Ok(plan.answering(answer))
    }
}
