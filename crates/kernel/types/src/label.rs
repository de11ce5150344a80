//! Labels: where a content came from and how far it may be trusted.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// How far a content may be trusted, least first, so that joining takes the minimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// Text from anywhere; it may inform and never instruct.
    Untrusted,
    /// A structured signal through a configured path.
    Integration,
    /// Made by Dormouse itself.
    Runtime,
    /// Said by the person whose home this is.
    Operator,
}

/// Where a content came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The person whose home this is.
    Operator,
    /// Dormouse's own code.
    Runtime,
    /// A model's output.
    Model,
    /// Something from outside.
    External,
    /// Nobody said; treated as outside.
    Unknown,
}

/// The label of a content. Every stored content has one; an absent label means untrusted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// The least trust of all that went into it.
    pub trust: Trust,
    /// All that went into it.
    pub sources: BTreeSet<Source>,
}

impl Label {
    /// A label with one source.
    #[must_use]
    pub fn new(trust: Trust, source: Source) -> Label {
        Label { trust, sources: BTreeSet::from([source]) }
    }

    /// What the operator says.
    #[must_use]
    pub fn operator() -> Label {
        Label::new(Trust::Operator, Source::Operator)
    }

    /// What Dormouse itself produced.
    #[must_use]
    pub fn runtime() -> Label {
        Label::new(Trust::Runtime, Source::Runtime)
    }

    /// What nobody vouches for.
    #[must_use]
    pub fn untrusted() -> Label {
        Label::new(Trust::Untrusted, Source::Unknown)
    }

    /// The label of something made from both: no more trusted than either, from all sources.
    #[must_use]
    pub fn join(&self, other: &Label) -> Label {
        Label {
            trust: self.trust.min(other.trust),
            sources: self.sources.union(&other.sources).copied().collect(),
        }
    }

    /// The label of something made from all of them, if there are any.
    #[must_use]
    pub fn of_all<'a>(labels: impl IntoIterator<Item = &'a Label>) -> Option<Label> {
        let mut labels = labels.into_iter();
        Some(labels.next()?.clone().and_all(labels))
    }

    /// The label of something made from this and all of them.
    #[must_use]
    pub fn and_all<'a>(self, others: impl IntoIterator<Item = &'a Label>) -> Label {
        others.into_iter().fold(self, |all, label| all.join(label))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_keeps_every_source_and_the_least_trust() {
        let joined = Label::operator().join(&Label::untrusted());
        assert_eq!(joined.trust, Trust::Untrusted);
        assert_eq!(joined.sources, BTreeSet::from([Source::Operator, Source::Unknown]));
        assert_eq!(joined, Label::untrusted().join(&Label::operator()));
        assert_eq!(joined, joined.join(&joined));
        assert_eq!(Label::of_all([&Label::operator(), &Label::untrusted()]), Some(joined));
        assert_eq!(Label::of_all([]), None);
    }
}
