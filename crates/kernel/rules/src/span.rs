//! Stretches of time against each other.

use types::At;

/// A stretch of time: from, and until. Its end is no part of it.
pub type Span = (At, At);

/// Whether two stretches have any instant in common.
#[must_use]
pub fn overlap(a: Span, b: Span) -> bool {
    a.0 < b.1 && b.0 < a.1
}

/// The free stretches between others, which come in the order of their starts.
#[must_use]
pub fn gaps(spans: &[Span]) -> Vec<Span> {
    let Some(first) = spans.first() else { return vec![] };
    let mut found = Vec::new();
    let mut until = first.1;
    for (from, to) in spans {
        if *from > until {
            found.push((until, *from));
        }
        until = until.max(*to);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(from: i64, to: i64) -> Span {
        (At::from_millis(from), At::from_millis(to))
    }

    #[test]
    fn stretches_that_only_touch_do_not_overlap() {
        assert!(!overlap(span(1, 2), span(2, 3)) && !overlap(span(2, 3), span(1, 2)));
        assert!(overlap(span(1, 3), span(2, 4)) && overlap(span(1, 9), span(2, 3)));
    }

    #[test]
    fn gaps_lie_between_stretches_and_a_long_one_covers_the_short_ones_after_it() {
        assert_eq!(gaps(&[]), []);
        assert_eq!(gaps(&[span(1, 2)]), []);
        assert_eq!(gaps(&[span(1, 2), span(2, 3), span(5, 6)]), [span(3, 5)]);
        assert_eq!(gaps(&[span(1, 9), span(2, 3), span(10, 11)]), [span(9, 10)]);
    }
}
