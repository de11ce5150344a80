//! Predicates: what must hold of a record for its change to wake somebody.

use types::{Compare, Condition, Image, Predicate, Properties};

use crate::image;

/// Why a predicate could never be evaluated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PredicateError {
    /// No record is of that kind.
    #[error("no record is of kind {kind:?}")]
    UnknownKind {
        /// The kind.
        kind: String,
    },
    /// Records of that kind have no such property.
    #[error("a {kind} has no property {property:?}")]
    UnknownProperty {
        /// The kind.
        kind: String,
        /// The property.
        property: String,
        /// Those it has.
        known: &'static [&'static str],
    },
}

/// Refuses a predicate over something that no record has: it would never wake anybody, silently.
///
/// # Errors
/// The first kind or property that is unknown.
pub fn validate(predicate: &Predicate) -> Result<(), PredicateError> {
    let kind = &predicate.kind;
    let Some((_, known)) = image::kind(kind) else {
        return Err(PredicateError::UnknownKind { kind: kind.clone() });
    };
    let missing = predicate.all.iter().find(|c| !known.contains(&c.property.as_str()));
    match missing {
        None => Ok(()),
        Some(Condition { property, .. }) => Err(PredicateError::UnknownProperty {
            kind: kind.clone(),
            property: property.clone(),
            known,
        }),
    }
}

/// Whether a predicate holds of a change: of what the record was, or of what it is.
#[must_use]
pub fn holds(predicate: &Predicate, image: &Image) -> bool {
    let meets = |side: &Option<Properties>| {
        side.as_ref().is_some_and(|side| predicate.all.iter().all(|condition| met(condition, side)))
    };
    image.kind == predicate.kind && (meets(&image.before) || meets(&image.after))
}

fn met(condition: &Condition, properties: &Properties) -> bool {
    let (found, value) = (properties.get(&condition.property), &condition.value);
    match condition.compare {
        Compare::Equal => found == Some(value),
        Compare::NotEqual => found != Some(value),
        Compare::AtMost => found.is_some_and(|found| found <= value),
        Compare::AtLeast => found.is_some_and(|found| found >= value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predicate(property: &str, compare: Compare, value: &str) -> Predicate {
        let (property, value) = (property.to_owned(), value.to_owned());
        Predicate { kind: "TASK".to_owned(), all: vec![Condition { property, compare, value }] }
    }

    fn image(before: Option<&str>, after: Option<&str>) -> Image {
        let side = |status: &str| Properties::from([("status".to_owned(), status.to_owned())]);
        Image {
            id: "task_1".parse().unwrap(),
            kind: "TASK".to_owned(),
            before: before.map(side),
            after: after.map(side),
            fields: ["status".to_owned()].into(),
        }
    }

    #[test]
    fn a_predicate_matches_what_was_and_what_is() {
        let open = predicate("status", Compare::Equal, "open");
        assert!(holds(&open, &image(Some("open"), Some("done"))));
        assert!(holds(&open, &image(Some("done"), Some("open"))));
        assert!(holds(&open, &image(None, Some("open"))));
        assert!(holds(&open, &image(Some("open"), None)));
        assert!(!holds(&open, &image(Some("done"), Some("done"))));
        let other = Image { kind: "CATEGORY".to_owned(), ..image(None, Some("open")) };
        assert!(!holds(&open, &other));
    }

    #[test]
    fn comparisons_go_by_the_order_of_texts() {
        let urgent = predicate("status", Compare::AtMost, "m");
        assert!(holds(&urgent, &image(None, Some("done"))));
        assert!(!holds(&urgent, &image(None, Some("open"))));
        assert!(holds(&predicate("status", Compare::AtLeast, "m"), &image(None, Some("open"))));
        assert!(holds(&predicate("status", Compare::NotEqual, "m"), &image(None, Some("open"))));
    }

    #[test]
    fn a_predicate_over_a_missing_field_is_refused() {
        assert_eq!(validate(&predicate("status", Compare::Equal, "x")), Ok(()));
        let error = validate(&predicate("colour", Compare::Equal, "x")).unwrap_err();
        assert!(
            matches!(error, PredicateError::UnknownProperty { known, .. } if !known.is_empty())
        );
        let kind = Predicate { kind: "TREE".to_owned(), all: vec![] };
        assert!(matches!(validate(&kind), Err(PredicateError::UnknownKind { .. })));
    }
}
