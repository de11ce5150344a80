//! Changing an entry.

use serde::Deserialize;
use serde_json::json;
use types::{CategoryId, Entry, Media, TaskId};

use crate::Error;
use crate::desk::{Desk, typed};
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::given::given;

use super::place::{elsewhere, place};

/// Changes what is given and leaves the rest. `null` takes the entry away from its task.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EditEntry {
    entry_id: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    at: Option<String>,
    #[serde(default)]
    category_id: Option<String>,
    #[serde(default, deserialize_with = "given")]
    task_id: Option<Option<String>>,
    #[serde(default)]
    media_uri: Option<String>,
    #[serde(default)]
    media_type: Option<String>,
}

impl Verb for EditEntry {
    const NAME: &'static str = "edit_entry";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let was = desk.entry(&self.entry_id).await?;
        let mut plan = Plan::about(was.id.clone());
        let (category_id, task_id) = self.place(desk, &was.body).await?;
        if category_id != was.body.category_id {
            plan.lands_in(&category_id);
        }
        let at = self.at.as_deref().map_or(Ok(was.body.at), |text| desk.moment(text))?;
        let entry = Entry {
            text: self.text.as_deref().map_or(was.body.text.as_str(), str::trim_end).to_owned(),
            // An entry stays on the day it was said on, unless it was said at another time.
            day: if at == was.body.at { was.body.day } else { desk.day_of(at) },
            media: self.media(was.body.media.clone()),
            category_id,
            task_id,
            at,
            kind: was.body.kind,
        };
        let answer = json!({ "id": was.id, "entry": entry });
        plan.change(&was, entry);
        Ok(plan.answering(answer))
    }
}

impl EditEntry {
    async fn place(
        &self,
        desk: &mut Desk,
        was: &Entry,
    ) -> Result<(CategoryId, Option<TaskId>), Error> {
        let category = self.category_id.as_deref();
        match (&self.task_id, category) {
            (Some(Some(task)), category) => place(desk, category, Some(task)).await,
            (Some(None), category) => {
                let category = category.unwrap_or(was.category_id.as_str()).to_owned();
                place(desk, Some(&category), None).await
            }
            (None, None) => Ok((was.category_id.clone(), was.task_id.clone())),
            (None, Some(category)) => {
                let category: CategoryId = desk.category(category).await?.id();
                // A task that is gone holds nothing in its place any more.
                let task = match &was.task_id {
                    Some(task) => desk.read(task, typed::task).await?,
                    None => None,
                };
                if let Some(task) = &task {
                    desk.note(task, Some(&task.body.category_id));
                }
                match task.filter(|task| task.body.category_id != category) {
                    Some(task) => Err(elsewhere(&task)),
                    None => Ok((category, was.task_id.clone())),
                }
            }
        }
    }

    /// The file it refers to, with what is given of it.
    fn media(self, was: Option<Media>) -> Option<Media> {
        let (uri, media_type) = match was {
            Some(was) => (Some(was.uri), was.media_type),
            None => (None, None),
        };
        let uri = self.media_uri.or(uri)?;
        Some(Media { uri, media_type: self.media_type.or(media_type) })
    }
}
