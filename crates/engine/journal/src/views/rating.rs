//! Ratings.

use std::collections::BTreeMap;

use types::{Day, Rating, RatingId, RecordId};

use crate::verbs::{self, Mean};
use crate::{Error, Journal};

/// A rating as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatingView {
    /// Its id.
    pub id: RatingId,
    /// What is rated.
    pub target_id: RecordId,
    /// From 1, poor, to 5, very good.
    pub score: u8,
    /// The same for single sides of it.
    pub dimensions: BTreeMap<String, u8>,
    /// What there is to say.
    pub note: String,
    /// The day it is about.
    pub day: Day,
}

/// Ratings of some days in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingsView {
    /// The first day.
    pub from: Day,
    /// The last day.
    pub to: Day,
    /// All of them.
    pub all: MeanView,
    /// Each side of them, by name.
    pub dimensions: Vec<(String, MeanView)>,
    /// Each day that has any.
    pub days: Vec<(Day, MeanView)>,
}

/// How many scores there are, and their mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanView {
    /// How many.
    pub count: u32,
    /// Their mean, to two places; absent if there are none.
    pub mean: Option<f64>,
}

impl Journal {
    /// The rating of what a text names: a task, a stretch of time, an entry, or a day.
    ///
    /// # Errors
    /// If there is nothing of that name. What was not rated has no rating, and that is no error.
    pub async fn rating_get(&self, text: &str) -> Result<Option<RatingView>, Error> {
        let mut desk = self.desk();
        let target = verbs::rated(&mut desk, text).await?;
        self.rating_of(&target.id).await
    }

    /// The rating of a record.
    pub(super) async fn rating_of(&self, target: &RecordId) -> Result<Option<RatingView>, Error> {
        let found = verbs::rating_of(&self.desk(), target).await?;
        Ok(found.map(|rating| view(rating.id(), rating.body)))
    }

    /// The ratings of the days from one to another, as somebody wrote them.
    ///
    /// # Errors
    /// If they are no days, or too many, or there is no such category.
    pub async fn ratings(
        &self,
        from: &str,
        to: &str,
        category: Option<&str>,
    ) -> Result<RatingsView, Error> {
        let mut desk = self.desk();
        let (from, to) = desk.days(from, to)?;
        let category = match category {
            Some(name) => Some(desk.category(name).await?.id()),
            None => None,
        };
        let tally = verbs::tally(&desk, from, to, category.as_ref()).await?;
        Ok(RatingsView {
            from,
            to,
            all: mean(tally.all),
            dimensions: tally.dimensions.into_iter().map(|(name, of)| (name, mean(of))).collect(),
            days: tally.days.into_iter().map(|(day, of)| (day, mean(of))).collect(),
        })
    }
}

fn view(id: RatingId, rating: Rating) -> RatingView {
    let Rating { target_id, score, dimensions, note, day, .. } = rating;
    RatingView { id, target_id, score, dimensions, note, day }
}

fn mean(of: Mean) -> MeanView {
    MeanView { count: of.count(), mean: of.mean() }
}
