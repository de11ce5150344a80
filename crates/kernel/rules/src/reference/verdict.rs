//! How sure a ranking is.

use super::score::Kind;

/// How sure it is which task is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The reference is the id, the end of the id or the title of one task.
    Exact,
    /// One task fits well, and much better than any other.
    Clear,
    /// Several may be meant, or the best fits badly.
    Ambiguous,
    /// Nothing fits.
    None,
}

impl Verdict {
    /// The verdict as users see it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Exact => "exact",
            Verdict::Clear => "clear",
            Verdict::Ambiguous => "ambiguous",
            Verdict::None => "none",
        }
    }
}

/// Points from which a task fits well.
const WELL: u32 = 600;

/// Points by which the first must be ahead of the second.
const LEAD: u32 = 150;

/// What a verdict goes by: a candidate that fits, from best to worst.
pub(super) struct Standing {
    pub(super) points: u32,
    pub(super) kind: Kind,
    /// Whether its title is that of the best.
    pub(super) same_title: bool,
}

/// Judges candidates that are in order.
pub(super) fn judge(mut standings: impl Iterator<Item = Standing>) -> Verdict {
    let Some(first) = standings.next() else { return Verdict::None };
    let others: Vec<Standing> = standings.collect();
    let rival = |other: &Standing| {
        let as_exact = other.kind == first.kind && first.kind.is_exact();
        as_exact || other.same_title && !first.kind.is_id()
    };
    if others.iter().any(rival) {
        return Verdict::Ambiguous;
    }
    let second = others.first().map_or(0, |second| second.points);
    match first {
        Standing { kind, .. } if kind.is_exact() => Verdict::Exact,
        Standing { points, .. } if points >= WELL && points - second >= LEAD => Verdict::Clear,
        _ => Verdict::Ambiguous,
    }
}
