//! Rating something.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract, ID_END};
use types::{BodyType, Rating, limits};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered, SPOKEN};
use crate::verbs::schema;

use super::target::{place_of, rated};

/// Says how something was. There is one rating per target: the same again changes it. A dimension or
/// note that is not given stays.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CreateOrUpdateRating {
    target_id: String,
    score: u8,
    #[serde(default)]
    dimensions: BTreeMap<String, u8>,
    #[serde(default)]
    note: Option<String>,
}

impl Verb for CreateOrUpdateRating {
    const NAME: &'static str = "create_or_update_rating";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let target = rated(desk, &self.target_id).await?;
        let place = place_of(desk, &target).await?;
        let was = place.body.as_ref();
        let mut dimensions = was.map(|was| was.dimensions.clone()).unwrap_or_default();
        dimensions.extend(self.dimensions);
        let rating = Rating {
            target_id: target.id,
            category_id: target.category.clone(),
            score: self.score,
            dimensions,
            note: match (self.note, was) {
                (Some(note), _) => note.trim().to_owned(),
                (None, Some(was)) => was.note.clone(),
                (None, None) => String::new(),
            },
            // What belongs to no day was what it was on the day on which that was said.
            day: target.day.unwrap_or_else(|| was.map_or_else(|| desk.today(), |was| was.day)),
        };
        let mut plan = Plan::about(place.id.clone());
        if let Some(category) = &target.category {
            plan.lands_in(category);
        }
        let answer = shown(&place.id, &rating);
        plan.put(&place, rating);
        Ok(plan.answering(answer))
    }
}

/// A rating as verbs answer it.
pub(super) fn shown(id: &types::RecordId, rating: &Rating) -> Value {
    json!({
        "id": id,
        "targetId": rating.target_id,
        "score": rating.score,
        "dimensions": rating.dimensions,
        "note": rating.note,
        "day": rating.day,
    })
}

impl Offered for CreateOrUpdateRating {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Record how a task, time entry or entry was, as the user said it, from 1 to 5. \
                      There is one rating per target; a dimension or note not given stays.",
        capabilities: &[Capability::RatingWrite],
        // A rating is somebody's opinion: it is theirs to give, not an agent's to guess.
        wake_reasons: SPOKEN,
        input,
        side_effects: &[BodyType::Rating],
        ..CHANGE
    };
}

fn input() -> Value {
    let score = schema::number(1, 5, "From 1, poor, to 5, very good.");
    let dimensions = json!({
        "type": "object",
        "additionalProperties": score,
        "maxProperties": limits::RATING_DIMENSIONS_MAX,
        "description": "The same for single sides of it, such as focus or energy.",
    });
    let note = schema::line("What was said about it.", limits::NOTE_BYTES_MAX);
    schema::object(
        &[("targetId", target_id()), ("score", score), ("dimensions", dimensions), ("note", note)],
        &["targetId", "score"],
    )
}

/// The argument that names what is rated.
pub(super) fn target_id() -> Value {
    let pattern = format!("^(task|time|entry){ID_END}");
    let description = "A task, time entry or entry.";
    json!({ "type": "string", "pattern": pattern, "maxLength": 96, "description": description })
}
