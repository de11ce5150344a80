//! How well a title fits a reference.

use super::slip::is_slip;

/// Letters of a word that may stand for a longer one.
const BEGINNING_MIN: usize = 3;

/// How well a candidate fits, and by what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Score {
    /// Out of a thousand.
    pub(super) points: u32,
    pub(super) kind: Kind,
}

/// By what a candidate fits, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Id,
    IdEnd,
    Title,
    AllWords,
    AllBeginnings,
    AllButSlips,
    SomeWords,
}

impl Kind {
    /// The reason as people read it.
    pub(super) const fn why(self) -> &'static str {
        match self {
            Kind::Id => "same id",
            Kind::IdEnd => "end of the id",
            Kind::Title => "same title",
            Kind::AllWords => "all words in the title",
            Kind::AllBeginnings => "all words begin words of the title",
            Kind::AllButSlips => "all words in the title, some with a slip",
            Kind::SomeWords => "some words in the title",
        }
    }

    /// Whether it names one thing and no other, however much others resemble it.
    pub(super) const fn is_exact(self) -> bool {
        matches!(self, Kind::Id | Kind::IdEnd | Kind::Title)
    }

    pub(super) const fn is_id(self) -> bool {
        matches!(self, Kind::Id | Kind::IdEnd)
    }

    /// The points that it has at least. What a title with all the words can add for being short is
    /// less than two steps, so that a short title with a slip does not beat one that has the words.
    const fn points(self) -> u32 {
        match self {
            Kind::Id => 1_000,
            Kind::IdEnd => 980,
            Kind::Title => 950,
            Kind::AllWords => 750,
            Kind::AllBeginnings => 650,
            Kind::AllButSlips => 550,
            Kind::SomeWords => 0,
        }
    }

    pub(super) const fn exactly(self) -> Score {
        Score { points: self.points(), kind: self }
    }
}

/// Points that a title gets if all the words were all it has.
const WHOLE_TITLE: usize = 150;

/// Points below which words in common are chance.
const POINTS_MIN: u32 = 50;

/// How well the words of a reference fit those of a title; none if hardly.
pub(super) fn of_words(words: &[&str], title: &[&str]) -> Option<Score> {
    let pairs = pair(words, title);
    let found = pairs.iter().flatten().count();
    let worst = pairs.iter().flatten().max()?;
    let score = if found == words.len() {
        let kind = match worst {
            Likeness::Same => Kind::AllWords,
            Likeness::Beginning => Kind::AllBeginnings,
            Likeness::Slip => Kind::AllButSlips,
        };
        Score { points: kind.points() + points(WHOLE_TITLE * found / title.len()), kind }
    } else {
        // The share of words in common, out of all that either has.
        let common: usize = pairs.iter().flatten().map(|likeness| likeness.hundredths()).sum();
        let all = words.len() + title.len() - found;
        Score { points: points(5 * common / all), kind: Kind::SomeWords }
    };
    Some(score).filter(|score| score.points >= POINTS_MIN)
}

/// How much a word is like another, most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Same,
    Beginning,
    Slip,
}

impl Likeness {
    const ALL: [Likeness; 3] = [Likeness::Same, Likeness::Beginning, Likeness::Slip];

    fn holds(self, word: &str, other: &str) -> bool {
        match self {
            Likeness::Same => word == other,
            // Where words are not set apart by spaces, one may stand anywhere within what looks
            // like one.
            Likeness::Beginning if !word.is_ascii() => other.contains(word),
            Likeness::Beginning => word.len() >= BEGINNING_MIN && other.starts_with(word),
            Likeness::Slip => is_slip(word, other),
        }
    }

    const fn hundredths(self) -> usize {
        match self {
            Likeness::Same => 100,
            Likeness::Beginning => 80,
            Likeness::Slip => 70,
        }
    }
}

/// For each word the likeness of its partner in the title. Nobody has two partners, and those
/// that are the same find each other first.
fn pair(words: &[&str], title: &[&str]) -> Vec<Option<Likeness>> {
    let mut pairs = vec![None; words.len()];
    let mut taken = vec![false; title.len()];
    for likeness in Likeness::ALL {
        for (word, partner) in words.iter().zip(&mut pairs).filter(|(_, found)| found.is_none()) {
            let free = |(other, taken): (&&str, &bool)| !taken && likeness.holds(word, other);
            if let Some(place) = title.iter().zip(&taken).position(free) {
                taken[place] = true;
                *partner = Some(likeness);
            }
        }
    }
    pairs
}

fn points(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
