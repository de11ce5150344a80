//! Removing a category.

use serde::Deserialize;
use serde_json::json;
use types::{CategoryId, Code};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;

/// Removes a category in which nothing lies any more.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RemoveCategory {
    category_id: String,
}

impl Verb for RemoveCategory {
    const NAME: &'static str = "remove_category";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let category = desk.category(&self.category_id).await?;
        let id: CategoryId = category.id();
        if let Some(dwellers) = desk.dwellers(&id).await? {
            let message = format!("in {:?} there are still {dwellers}", category.body.name);
            let hint = "move or remove what lies in it first; closed tasks count too: \
                        `dormouse task list --all --category NAME`";
            return Err(Error::refuse(Code::NotEmpty, message, hint));
        }
        let mut plan = Plan::about(category.id.clone());
        plan.remove(&category);
        Ok(plan.answering(json!({ "id": category.id, "name": category.body.name })))
    }
}
