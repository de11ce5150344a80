//! Renaming and recolouring a category.

use serde::Deserialize;
use serde_json::json;
use types::Category;

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::given::given;

/// Changes what is given and leaves the rest. `null` takes the colour away.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EditCategory {
    category_id: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default, deserialize_with = "given")]
    colour: Option<Option<String>>,
}

impl Verb for EditCategory {
    const NAME: &'static str = "edit_category";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let was = desk.category(&self.category_id).await?;
        let name = self.name.map_or(was.body.name.clone(), |name| name.trim().to_owned());
        let colour = self.colour.unwrap_or(was.body.colour.clone());
        let answer = json!({ "id": was.id, "name": name, "colour": colour });
        let mut plan = Plan::about(was.id.clone());
        plan.change(&was, Category { name, colour });
        Ok(plan.answering(answer))
    }
}
