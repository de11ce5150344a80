//! Candidates in the order in which they may be meant.

use std::cmp::Reverse;

use types::At;

use super::fold::{telling, words};
use super::score::{self, Kind, Score};
use super::verdict::{self, Standing, Verdict};

/// Matches that are named, best first. Somebody who has to choose reads no more.
pub const MATCHES_MAX: usize = 10;

/// Characters of an id that are enough to name it by its end.
const ID_END_MIN: usize = 4;

/// A task that may be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// Whether there is still something to do.
    pub open: bool,
    /// When it was last changed.
    pub updated_at: At,
}

/// A candidate that fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// Its id.
    pub id: String,
    /// How well it fits, from 0 to 1.
    pub confidence: f64,
    /// By what.
    pub why: &'static str,
}

/// What somebody may have meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// At most [`MATCHES_MAX`] candidates that fit, best first.
    pub matches: Vec<Match>,
    /// How sure it is that the first is meant.
    pub verdict: Verdict,
}

/// Ranks the tasks that somebody may mean.
///
/// An id, or at least four characters at its end, comes before everything else. Then a title counts
/// by how many of the words it has, whole, as beginnings or with a slip; one of a closed task counts
/// less. Among equals an open task comes first, then what changed last, then the smaller id.
#[must_use]
pub fn rank(query: &str, candidates: &[Candidate]) -> Ranking {
    let query = Query::read(query);
    let mut fits: Vec<Fit<'_>> = candidates.iter().filter_map(|c| query.fit(c)).collect();
    fits.sort_by_key(|fit| {
        let Candidate { id, open, updated_at, .. } = fit.candidate;
        (Reverse(fit.score.points), Reverse(*open), Reverse(*updated_at), id)
    });
    let standings = fits.iter().map(|fit| Standing {
        points: fit.score.points,
        kind: fit.score.kind,
        same_title: fits.first().is_some_and(|first| first.has_title_of(fit)),
    });
    Ranking {
        verdict: verdict::judge(standings),
        matches: fits.iter().take(MATCHES_MAX).map(Fit::to_match).collect(),
    }
}

/// A reference, read in the ways in which it is compared.
struct Query {
    text: String,
    /// As it would be an id: without the marks that people put around one.
    id: String,
    words: Vec<String>,
}

impl Query {
    fn read(text: &str) -> Query {
        let id = text.trim().trim_matches(['#', '"', '\'', '`', '…', '.', '(', ')']);
        let id = id.to_ascii_lowercase();
        Query { text: text.trim().to_owned(), id, words: words(text) }
    }

    fn fit<'a>(&self, candidate: &'a Candidate) -> Option<Fit<'a>> {
        let title = words(&candidate.title);
        let score = match self.by_id(candidate) {
            Some(kind) => kind.exactly(),
            None => less_if_closed(self.by_title(candidate, &title)?, candidate),
        };
        Some(Fit { candidate, title, score })
    }

    fn by_id(&self, candidate: &Candidate) -> Option<Kind> {
        let id = candidate.id.to_ascii_lowercase();
        match self.id.chars().count() {
            0 => None,
            _ if self.id == id => Some(Kind::Id),
            ID_END_MIN.. if id.ends_with(&self.id) => Some(Kind::IdEnd),
            _ => None,
        }
    }

    fn by_title(&self, candidate: &Candidate, title: &[String]) -> Option<Score> {
        // A title may have no words at all.
        let same = !self.text.is_empty() && candidate.title.trim() == self.text;
        if same || !title.is_empty() && title == self.words {
            return Some(Kind::Title.exactly());
        }
        score::of_words(&telling(&self.words), &telling(title))
    }
}

/// A candidate and how well it fits.
struct Fit<'a> {
    candidate: &'a Candidate,
    title: Vec<String>,
    score: Score,
}

impl Fit<'_> {
    fn has_title_of(&self, other: &Fit<'_>) -> bool {
        let both_wordless = self.title.is_empty() && other.title.is_empty();
        self.title == other.title
            && (!both_wordless || self.candidate.title.trim() == other.candidate.title.trim())
    }

    fn to_match(&self) -> Match {
        Match {
            id: self.candidate.id.clone(),
            confidence: f64::from(self.score.points) / 1_000.0,
            why: self.score.kind.why(),
        }
    }
}

/// Who speaks of a task mostly means one that is still to be done.
fn less_if_closed(score: Score, candidate: &Candidate) -> Score {
    let points = if candidate.open { score.points } else { score.points * 4 / 5 };
    Score { points, ..score }
}

#[cfg(test)]
#[path = "rank_tests.rs"]
mod tests;
