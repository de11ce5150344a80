//! Operations: mutating calls, each done once, each with what is needed to undo it.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::{
    At, Author, ContentRef, Link, OperationId, Position, Record, RecordId, Relation, RunKey,
};

/// A mutating call as it goes into a commit.
///
/// The commit is applied once per operation id. The same id again answers with the first result
/// and changes nothing; the store keeps the pre-image of every record the commit touches.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationDraft {
    /// Its name.
    pub id: OperationId,
    /// The verb, such as `create_task`.
    pub verb: &'static str,
    /// The record it is about.
    pub subject: RecordId,
    /// The run it belongs to, if an agent does it.
    pub run_key: Option<RunKey>,
    /// What the caller gets, now and on every repetition.
    pub result: Value,
}

/// An operation as the store remembers it.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Its name.
    pub id: OperationId,
    /// The verb.
    pub verb: String,
    /// The record it is about.
    pub subject: RecordId,
    /// The run it belongs to.
    pub run_key: Option<RunKey>,
    /// Who did it.
    pub author: Author,
    /// When.
    pub at: At,
    /// The change it made, if it made one.
    pub position: Option<Position>,
    /// What the caller got.
    pub result: ContentRef,
    /// What was there before, if anything was.
    pub pre_image: Option<ContentRef>,
}

/// A link as it was before an operation touched it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkBefore {
    /// From which record.
    pub from: RecordId,
    /// To which.
    pub to: RecordId,
    /// How.
    pub relation: Relation,
    /// What it was; absent if it was not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Link>,
}

/// The content of a pre-image: each touched record that existed and each touched link, as it was.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PreImage {
    /// The records that existed. One that an operation made is not among them.
    pub records: Vec<Record>,
    /// The links, whether they existed or not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkBefore>,
}

impl<'de> Deserialize<'de> for PreImage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PreImage, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Whole {
            records: Vec<Record>,
            #[serde(default)]
            links: Vec<LinkBefore>,
        }
        let raw = <Box<RawValue>>::deserialize(deserializer)?;
        // The first form was a bare list of records, and homes from then are still read.
        if raw.get().starts_with('[') {
            let records = serde_json::from_str(raw.get()).map_err(de::Error::custom)?;
            return Ok(PreImage { records, links: vec![] });
        }
        let Whole { records, links } =
            serde_json::from_str(raw.get()).map_err(de::Error::custom)?;
        Ok(PreImage { records, links })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Category, VectorClock};

    #[test]
    fn a_pre_image_reads_back_and_so_does_one_of_the_first_form() {
        let record = Record {
            id: "category_home".parse().unwrap(),
            body: Category::named("home").into(),
            schema_version: 1,
            revision: 3,
            created_at: At::EPOCH,
            updated_at: At::EPOCH,
            deleted_at: None,
            clock: VectorClock::default(),
        };
        let first = serde_json::to_string(&vec![record.clone()]).unwrap();
        let (from, to) = ("task_a".parse().unwrap(), "task_b".parse().unwrap());
        let link = LinkBefore { from, to, relation: Relation::Blocks, was: None };
        let image = PreImage { records: vec![record], links: vec![link] };
        let text = serde_json::to_string(&image).unwrap();
        assert_eq!(serde_json::from_str::<PreImage>(&text).unwrap(), image);
        assert_eq!(serde_json::from_str::<PreImage>(&first).unwrap().records, image.records);
    }
}
