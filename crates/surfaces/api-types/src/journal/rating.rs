//! Ratings, as they are shown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use types::Day;

/// A rating.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RatingReply {
    /// Its id.
    pub id: String,
    /// What is rated.
    pub target: String,
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RatingsReply {
    /// The first day.
    pub from: Day,
    /// The last day.
    pub to: Day,
    /// How many.
    pub count: u32,
    /// Their mean, to two places; absent if there are none.
    pub mean: Option<f64>,
    /// Each side of them, by name.
    pub dimensions: BTreeMap<String, MeanReply>,
    /// Each day that has any.
    pub days: BTreeMap<Day, MeanReply>,
}

/// How many scores there are, and their mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MeanReply {
    /// How many.
    pub count: u32,
    /// Their mean, to two places.
    pub mean: Option<f64>,
}
