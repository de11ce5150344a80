//! Finding documents.

use std::collections::BTreeMap;

use index::{Found, Hit, Query, Terms};
use rusqlite::{Connection, Row, params};
use types::{RecordId, limits};

use crate::excerpt::{self, excerpt};
use crate::expression::expression;
use crate::fault::Fault;

/// The words are the outer loop, always: what does not fit is never looked at.
macro_rules! hits {
    ($columns:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $columns,
            "
FROM words
CROSS JOIN documents ON documents.n = words.rowid
WHERE words MATCH ?1
  AND (?2 IS NULL OR documents.kind IN (SELECT value FROM json_each(?2)))
  AND (?3 IS NULL OR documents.category IN (SELECT value FROM json_each(?3)))
",
            $rest
        )
    };
}

const COUNT: &str = hits!("COUNT(*)", "");

/// What a title has in it comes before what a text mentions. The weight is large because bm25 counts
/// against the length of the whole document: with fifty, a note of a thousand words that has the word
/// in its title would still come after a line that mentions it.
const RANK: &str = hits!(
    "documents.n, documents.id, documents.kind, bm25(words, 200.0, 1.0) AS score",
    "ORDER BY score, documents.at DESC, documents.id
LIMIT ?4"
);

/// One pass over what fits, since only there FTS5 knows the matches. The plus keeps it from starting
/// the whole search anew for each number.
const SHOW: &str = "
SELECT rowid, title, snippet(words, 0, ?3, ?4, '…', 24), snippet(words, 1, ?3, ?4, '…', 24)
FROM words
WHERE words MATCH ?1 AND +rowid IN (SELECT value FROM json_each(?2))
LIMIT ?5";

/// All of them, so that a file can be held against them before it is used.
pub(crate) const STATEMENTS: &[&str] = &[COUNT, RANK, SHOW];

/// A hit before it is shown.
struct Ranked {
    n: i64,
    id: RecordId,
    kind: String,
    /// As FTS5 counts: the better, the further below zero.
    score: f64,
}

/// What is asked for, in the words of SQL.
struct Asked {
    matching: String,
    kinds: Option<String>,
    categories: Option<String>,
    limit: usize,
}

/// Ranks, counts and shows what fits, all at the same moment: the caller has begun a transaction.
pub(crate) fn search(
    connection: &Connection,
    query: &Query,
    terms: &Terms,
) -> Result<Found, Fault> {
    let asked = Asked {
        matching: expression(terms),
        kinds: kinds(query),
        categories: categories(query),
        limit: query.limit.min(limits::ROWS_PER_READ_MAX),
    };
    let ranked = rank(connection, &asked)?;
    // A page that is not full holds all there is.
    let total = if ranked.len() < asked.limit { ranked.len() } else { count(connection, &asked)? };
    let hits = show(connection, &asked.matching, ranked)?;
    Ok(Found { more: hits.len() < total, total, hits })
}

fn rank(connection: &Connection, asked: &Asked) -> Result<Vec<Ranked>, Fault> {
    let limit = i64::try_from(asked.limit).expect("a page is short");
    let mut statement = connection.prepare_cached(RANK)?;
    let mut rows =
        statement.query(params![asked.matching, asked.kinds, asked.categories, limit])?;
    let mut ranked = Vec::new();
    while let Some(row) = rows.next()? {
        ranked.push(read_ranked(row)?);
    }
    Ok(ranked)
}

fn count(connection: &Connection, asked: &Asked) -> Result<usize, Fault> {
    let filter = params![asked.matching, asked.kinds, asked.categories];
    let total: i64 = connection.prepare_cached(COUNT)?.query_row(filter, |row| row.get(0))?;
    usize::try_from(total).map_err(|_| Fault::row("a count is negative"))
}

fn kinds(query: &Query) -> Option<String> {
    let json = || serde_json::to_string(&query.kinds).expect("texts are JSON");
    (!query.kinds.is_empty()).then(json)
}

fn categories(query: &Query) -> Option<String> {
    let json = |ids| serde_json::to_string(ids).expect("ids are JSON");
    query.categories.as_ref().map(json)
}

fn read_ranked(row: &Row<'_>) -> Result<Ranked, Fault> {
    let id: String = row.get(1)?;
    let id = id.parse().map_err(|error| Fault::row(format!("id: {error}")))?;
    Ok(Ranked { n: row.get(0)?, id, kind: row.get(2)?, score: row.get(3)? })
}

/// Adds to each hit what is shown of it.
fn show(connection: &Connection, matching: &str, ranked: Vec<Ranked>) -> Result<Vec<Hit>, Fault> {
    let Some(best) = ranked.first().map(|hit| hit.score) else { return Ok(Vec::new()) };
    let mut shown = excerpts(connection, matching, &ranked)?;
    let hit = |ranked: Ranked| {
        let (title, excerpt) =
            shown.remove(&ranked.n).ok_or_else(|| Fault::row("a hit has no words"))?;
        let score = if best < 0.0 { ranked.score / best } else { 1.0 };
        Ok(Hit { id: ranked.id, kind: ranked.kind, title, excerpt, score })
    };
    ranked.into_iter().map(hit).collect()
}

/// Title and excerpt by number.
fn excerpts(
    connection: &Connection,
    matching: &str,
    ranked: &[Ranked],
) -> Result<BTreeMap<i64, (String, String)>, Fault> {
    let numbers: Vec<i64> = ranked.iter().map(|hit| hit.n).collect();
    let numbers_json = serde_json::to_string(&numbers).expect("numbers are JSON");
    let mut statement = connection.prepare_cached(SHOW)?;
    let mut rows = statement.query(params![
        matching,
        numbers_json,
        excerpt::OPEN,
        excerpt::CLOSE,
        i64::try_from(numbers.len()).expect("a page is short"),
    ])?;
    let mut shown = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let (title, text): (String, String) = (row.get(2)?, row.get(3)?);
        shown.insert(row.get(0)?, (row.get(1)?, excerpt(&title, &text)));
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::disallowed_methods, reason = "plans are looked at without a file")]
    fn plan(sql: &str) -> Vec<String> {
        let mut connection = Connection::open_in_memory().unwrap();
        crate::schema::make(&mut connection, &"host_case".parse().unwrap()).unwrap();
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        for parameter in 1..=statement.parameter_count() {
            statement.raw_bind_parameter(parameter, "1").unwrap();
        }
        let mut rows = statement.raw_query();
        let mut lines = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            lines.push(row.get("detail").unwrap());
        }
        lines
    }

    #[test]
    fn a_search_goes_from_the_words_to_the_documents_and_never_through_all() {
        for sql in STATEMENTS {
            let lines = plan(sql);
            assert!(lines[0].starts_with("SCAN words VIRTUAL TABLE INDEX 0:M"), "{lines:?}");
            let documents = lines.iter().filter(|line| line.contains("documents"));
            for line in documents {
                let by_number = "SEARCH documents USING INTEGER PRIMARY KEY (rowid=?)";
                assert_eq!(line, by_number, "{lines:?}");
            }
        }
    }
}
