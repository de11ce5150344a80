//! Taking a rating back.

use serde::Deserialize;
use serde_json::json;
use types::Code;

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;

use super::target::{rated, rating_of};

/// Removes the rating of something.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RemoveRating {
    target_id: String,
}

impl Verb for RemoveRating {
    const NAME: &'static str = "remove_rating";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let target = rated(desk, &self.target_id).await?;
        let rating = rating_of(desk, &target.id).await?.ok_or_else(|| {
            let message = format!("{} was not rated", self.target_id.trim());
            Error::refuse(Code::UnknownRecord, message, "there is nothing to remove")
        })?;
        desk.note(&rating, target.category.as_ref());
        let mut plan = Plan::about(rating.id.clone());
        plan.remove(&rating);
        Ok(plan.answering(json!({ "id": rating.id, "targetId": target.id })))
    }
}
