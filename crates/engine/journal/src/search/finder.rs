//! Searching.

use std::collections::BTreeSet;
use std::sync::Arc;

use index::{Index, Query};
use store::Store;
use tokio::sync::Mutex;
use types::{BodyType, CategoryId, Code, Problem, RecordId};

use crate::{Error, Journal};

use super::aside::aside;

/// Finds records by their words.
#[derive(Clone)]
pub struct Finder {
    pub(super) store: Arc<dyn Store>,
    pub(super) index: Arc<dyn Index>,
    /// Held by who feeds the index: of two who fill it at once, one would put what it read earlier over
    /// what the other read later.
    pub(super) turn: Arc<Mutex<()>>,
    pub(super) journal: Journal,
}

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Find {
    /// The words, as somebody types them.
    pub words: String,
    /// Only of these kinds: `task`, `item`, `checklist`, `note`, `time`, `plan` or `rating`.
    pub kinds: Vec<String>,
    /// Only in this category, by name or id.
    pub category: Option<String>,
    /// At most this many.
    pub limit: usize,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundView {
    /// The best of it.
    pub hits: Vec<HitView>,
    /// How many there are.
    pub total: usize,
}

/// A record that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct HitView {
    /// Which.
    pub id: RecordId,
    /// Of which kind, as people say it.
    pub kind: &'static str,
    /// What it is called.
    pub title: String,
    /// Where the words are, between « and ».
    pub excerpt: String,
}

/// The kinds that are searched, as people say them.
const KINDS: [(&str, BodyType); 7] = [
    ("task", BodyType::Task),
    ("item", BodyType::ChecklistItem),
    ("checklist", BodyType::Checklist),
    ("note", BodyType::Entry),
    ("time", BodyType::TimeEntry),
    ("plan", BodyType::DayPlan),
    ("rating", BodyType::Rating),
];

impl Finder {
    /// Finds what a journal keeps, with this index.
    #[must_use]
    pub fn new(journal: &Journal, index: Arc<dyn Index>) -> Finder {
        let (store, turn) = (Arc::clone(&journal.store), Arc::default());
        Finder { store, index, turn, journal: journal.clone() }
    }

    /// The records that hold all the words, best first.
    ///
    /// # Errors
    /// If there are no words, the category is unknown, or the index cannot be used at all.
    pub async fn find(&self, find: Find) -> Result<FoundView, Problem> {
        let categories: Option<BTreeSet<CategoryId>> = match &find.category {
            Some(name) => Some([self.journal.category_find(name).await?.id].into()),
            None => None,
        };
        let kinds = find.kinds.iter().map(|word| stored(word)).collect::<Result<_, Error>>()?;
        let query = Query { text: find.words, kinds, categories, limit: find.limit };
        self.catch_up().await?;
        let found = aside(&self.index, move |index| index.search(&query)).await?;
        let hits = found.hits.into_iter().map(|hit| HitView {
            kind: spoken(&hit.kind),
            id: hit.id,
            title: hit.title,
            excerpt: hit.excerpt,
        });
        Ok(FoundView { hits: hits.collect(), total: found.total })
    }
}

fn stored(word: &str) -> Result<String, Error> {
    let found = KINDS.iter().find(|(known, _)| *known == word);
    found.map(|(_, kind)| kind.as_str().to_owned()).ok_or_else(|| {
        let known: Vec<&str> = KINDS.iter().map(|(known, _)| *known).collect();
        let hint = format!("the kinds are: {}", known.join(", "));
        Error::refuse(Code::WrongUsage, format!("there is no kind {word:?}"), hint)
    })
}

fn spoken(kind: &str) -> &'static str {
    KINDS.iter().find(|(_, known)| known.as_str() == kind).map_or("record", |(word, _)| *word)
}
