//! The names of summaries.

use types::MessageId;

use crate::hash;

/// The id of the summary of a span by one version of a summariser. The same span summarised again is the
/// same message, on every host; another version makes another one beside it.
#[must_use]
pub fn id(start: &MessageId, end: &MessageId, made_by: &str) -> MessageId {
    MessageId::from_digest(&hash::fields(["summary", start.as_str(), end.as_str(), made_by]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_named_by_its_span_and_by_the_version_of_who_made_it() {
        let [a, b, c] = ["message_a", "message_b", "message_c"].map(|id| id.parse().unwrap());
        assert_eq!(id(&a, &b, "extract 1"), id(&a, &b, "extract 1"));
        let others = [id(&a, &c, "extract 1"), id(&c, &b, "extract 1"), id(&a, &b, "extract 2")];
        for other in others {
            assert_ne!(id(&a, &b, "extract 1"), other);
        }
    }
}
