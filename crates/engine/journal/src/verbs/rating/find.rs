//! Looking at one rating.

use serde::Deserialize;
use serde_json::json;
use tool::{Capability, Contract};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{Offered, READ};
use crate::verbs::schema;

use super::rate::{shown, target_id};
use super::target::{place_of, rated};

/// Answers with the rating of something, or with none.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct GetRatingForTarget {
    target_id: String,
}

impl Verb for GetRatingForTarget {
    const NAME: &'static str = "get_rating_for_target";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let target = rated(desk, &self.target_id).await?;
        let place = place_of(desk, &target).await?;
        let rating = place.body.as_ref().map(|rating| shown(&place.id, rating));
        let answer = json!({ "targetId": target.id, "rating": rating });
        Ok(Plan::about(place.id).answering(answer))
    }
}

impl Offered for GetRatingForTarget {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Look up how a task, time entry or entry was rated, if it was.",
        capabilities: &[Capability::RatingRead],
        input: || schema::object(&[("targetId", target_id())], &["targetId"]),
        ..READ
    };
}
