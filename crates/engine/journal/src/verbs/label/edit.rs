//! Changing a label.

use serde::Deserialize;
use serde_json::json;
use types::{CategoryId, Code, TaskLabel};

use crate::Error;
use crate::desk::{Desk, Loaded};
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::given::given;

/// Changes what is given and leaves the rest. `null` takes the colour away, or lets the tasks of every
/// category bear it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EditLabel {
    label_id: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default, deserialize_with = "given")]
    colour: Option<Option<String>>,
    #[serde(default, deserialize_with = "given")]
    category_id: Option<Option<String>>,
}

impl Verb for EditLabel {
    const NAME: &'static str = "edit_label";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let was = desk.label(&self.label_id).await?;
        let category_id = match &self.category_id {
            Some(Some(text)) => {
                let category: CategoryId = desk.category(text).await?.id();
                refuse_strangers(desk, &was, &category).await?;
                Some(category)
            }
            Some(None) => None,
            None => was.body.category_id.clone(),
        };
        let label = TaskLabel {
            name: self.name.map_or(was.body.name.clone(), |name| name.trim().to_owned()),
            colour: self.colour.unwrap_or(was.body.colour.clone()),
            category_id,
        };
        let answer = json!({ "id": was.id, "label": label });
        let mut plan = Plan::about(was.id.clone());
        plan.change(&was, label);
        Ok(plan.answering(answer))
    }
}

/// Refuses if a task of another category bears the label.
async fn refuse_strangers(
    desk: &Desk,
    label: &Loaded<TaskLabel>,
    category: &CategoryId,
) -> Result<(), Error> {
    let bearing = desk.bearing(&label.id(), usize::MAX).await?;
    match bearing.iter().find(|task| task.body.category_id != *category) {
        None => Ok(()),
        Some(task) => {
            let (title, id) = (&task.body.title, &task.id);
            let message = format!("{title:?} ({id}), a task of another category, bears it");
            Err(Error::refuse(Code::OtherCategory, message, "take it from that task first"))
        }
    }
}
