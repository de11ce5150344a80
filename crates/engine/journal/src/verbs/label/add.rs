//! Adding a label.

use serde::Deserialize;
use serde_json::json;
use types::{TaskLabel, TaskLabelId};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;

/// Adds a label, for the tasks of one category or of all.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AddLabel {
    name: String,
    #[serde(default)]
    colour: Option<String>,
    #[serde(default)]
    category_id: Option<String>,
}

impl Verb for AddLabel {
    const NAME: &'static str = "add_label";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let category_id = match &self.category_id {
            Some(text) => Some(desk.category(text).await?.id()),
            None => None,
        };
        let name = self.name.trim().to_owned();
        let id = TaskLabelId::new(desk.world.ulid());
        let mut plan = Plan::about(&id);
        let label = TaskLabel { name, colour: self.colour, category_id };
        let answer = json!({ "id": id, "label": label });
        plan.make(&id, label);
        Ok(plan.answering(answer))
    }
}
