//! Many ratings in few numbers.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use types::{Day, Rating, RecordId};

use crate::desk::Loaded;

/// How many scores there are, and their mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mean {
    count: u32,
    sum: u32,
}

impl Mean {
    fn take(&mut self, score: u8) {
        self.count += 1;
        self.sum += u32::from(score);
    }

    /// How many.
    pub(crate) fn count(self) -> u32 {
        self.count
    }

    /// Their mean to two places; nothing, if there are none.
    pub(crate) fn mean(self) -> Option<f64> {
        let mean = f64::from(self.sum) / f64::from(self.count);
        (self.count > 0).then(|| (mean * 100.0).round() / 100.0)
    }
}

impl Serialize for Mean {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut fields = serializer.serialize_struct("Mean", 2)?;
        fields.serialize_field("count", &self.count)?;
        fields.serialize_field("mean", &self.mean())?;
        fields.end()
    }
}

/// Ratings of some days in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// All of them.
    pub(crate) all: Mean,
    /// Each side of them.
    pub(crate) dimensions: BTreeMap<String, Mean>,
    /// Each day of them.
    pub(crate) days: BTreeMap<Day, Mean>,
    /// Those that have sides: somebody named these.
    pub(crate) sided: BTreeSet<RecordId>,
}

impl Tally {
    /// The numbers of these ratings.
    pub(crate) fn of<'a>(ratings: impl Iterator<Item = &'a Loaded<Rating>>) -> Tally {
        let mut tally = Tally::default();
        for Loaded { id, body: rating, .. } in ratings {
            tally.all.take(rating.score);
            tally.days.entry(rating.day).or_default().take(rating.score);
            tally.sided.extend((!rating.dimensions.is_empty()).then(|| id.clone()));
            for (name, score) in &rating.dimensions {
                tally.dimensions.entry(name.clone()).or_default().take(*score);
            }
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_rounded_to_two_places_and_of_nothing_there_is_none() {
        let mut mean = Mean::default();
        assert_eq!((mean.count(), mean.mean()), (0, None));
        [5, 4, 4].into_iter().for_each(|score| mean.take(score));
        assert_eq!((mean.count(), mean.mean()), (3, Some(4.33)));
    }
}
