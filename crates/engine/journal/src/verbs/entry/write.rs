//! Writing an entry.

use serde::Deserialize;
use serde_json::json;
use types::{Entry, EntryId, EntryKind, Media};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;

use super::place::place;

/// Writes down what somebody wrote, said or photographed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct WriteEntry {
    #[serde(default)]
    text: String,
    #[serde(default)]
    category_id: Option<String>,
    #[serde(default)]
    task_id: Option<String>,
    #[serde(default)]
    at: Option<String>,
    #[serde(default)]
    kind: Option<EntryKind>,
    #[serde(default)]
    media_uri: Option<String>,
    #[serde(default)]
    media_type: Option<String>,
}

impl Verb for WriteEntry {
    const NAME: &'static str = "write_entry";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let (category_id, task_id) =
            place(desk, self.category_id.as_deref(), self.task_id.as_deref()).await?;
        let at = self.at.map_or_else(|| Ok(desk.now()), |text| desk.moment(&text))?;
        let media_type = self.media_type;
        let entry = Entry {
            kind: self.kind.unwrap_or(EntryKind::Text),
            text: self.text.trim_end().to_owned(),
            media: self.media_uri.map(|uri| Media { uri, media_type }),
            day: desk.day_of(at),
            category_id,
            task_id,
            at,
        };
        let id = EntryId::new(desk.world.ulid());
        let mut plan = Plan::about(&id);
        plan.lands_in(&entry.category_id);
        let answer = json!({ "id": id, "entry": entry });
        plan.make(&id, entry);
        Ok(plan.answering(answer))
    }
}
