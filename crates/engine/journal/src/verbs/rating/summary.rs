//! Ratings of a stretch of days.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract};
use types::{BodyType, CategoryId, Day, DayPlan, Rating};

use crate::Error;
use crate::desk::{Desk, Loaded, typed};
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{Offered, READ};
use crate::verbs::schema;

use super::Tally;

/// Answers with how many ratings there are and what they come to, in all, by dimension and by day.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct GetRatingsSummary {
    from: String,
    to: String,
    #[serde(default)]
    category_id: Option<String>,
}

impl Verb for GetRatingsSummary {
    const NAME: &'static str = "get_ratings_summary";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let (from, to) = desk.days(&self.from, &self.to)?;
        let category: Option<CategoryId> = match &self.category_id {
            Some(text) => Some(desk.category(text).await?.id()),
            None => None,
        };
        let tally = tally(desk, from, to, category.as_ref()).await?;
        let days: Vec<Value> = tally
            .days
            .iter()
            .map(|(day, all)| json!({ "day": day, "count": all.count(), "mean": all.mean() }))
            .collect();
        let answer = json!({
            "from": from,
            "to": to,
            "count": tally.all.count(),
            "mean": tally.all.mean(),
            "dimensions": tally.dimensions,
            "days": days,
        });
        let mut plan = Plan::about(DayPlan::id(from)).answering(answer);
        plan.has_words_of(tally.sided);
        Ok(plan)
    }
}

/// The ratings of these days in numbers, as far as whoever asks may know of them. What is rated counts
/// where it lies now, not where it lay when it was rated.
pub(crate) async fn tally(
    desk: &Desk,
    from: Day,
    to: Day,
    category: Option<&CategoryId>,
) -> Result<Tally, Error> {
    let records = desk.of_days(BodyType::Rating, from, to).await?;
    let found = records.into_iter().filter_map(|record| Loaded::from(record, typed::rating));
    let ratings: Vec<Loaded<Rating>> = found.collect();
    let lies = desk.categories_of(ratings.iter().map(|rating| &rating.body.target_id)).await?;
    let within = ratings.iter().filter(|rating| {
        match lies.get(&rating.body.target_id).or(rating.body.category_id.as_ref()) {
            Some(own) => desk.reaches(own) && category.is_none_or(|wanted| wanted == own),
            None => desk.is_operator() && category.is_none(),
        }
    });
    Ok(Tally::of(within))
}

impl Offered for GetRatingsSummary {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Count the ratings of some days in your categories: mean score, mean of each \
                      dimension, and each day. Ratings of whole days are not among them.",
        capabilities: &[Capability::RatingRead],
        input,
        ..READ
    };
}

fn input() -> Value {
    schema::object(
        &[
            ("from", schema::day("The first day.")),
            ("to", schema::day("The last day; at most a year after the first.")),
            ("categoryId", schema::id("category", "Of this category only.")),
        ],
        &["from", "to"],
    )
}
