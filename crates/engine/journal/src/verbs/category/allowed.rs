//! Which categories there are for an agent.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{Offered, READ};

/// Lists the categories within reach, by name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListAllowedCategories {}

impl Verb for ListAllowedCategories {
    const NAME: &'static str = "list_allowed_categories";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let categories = desk.categories().await?;
        let shown = |category: &crate::desk::Loaded<types::Category>| json!({ "id": category.id, "name": category.body.name });
        let categories: Vec<Value> = categories.iter().map(shown).collect();
        Ok(Plan::read(json!({ "categories": categories })))
    }
}

impl Offered for ListAllowedCategories {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "List the categories that you may see, with their ids.",
        capabilities: &[Capability::CategoryRead],
        ..READ
    };
}
