//! From a search as somebody types it to what is looked for. Every text is a search or holds
//! nothing to look for; none is a mistake.
//!
//! | typed | means |
//! |---|---|
//! | `oat milk` | both words, anywhere; the last one may go on, as while it is being typed |
//! | `"oat milk"` | the words side by side; a quote that is never closed goes to the end |
//! | `mil*`, `"oat mil"*` | a word that begins so |
//! | `-oat`, `-"oat milk"` | not with these |
//!
//! All else is part of a word, or separates words: there are no operators, brackets or fields.

use types::limits;

use crate::IndexError;

/// Quotes as keyboards and phones make them; any closes what any has opened.
const QUOTES: [char; 4] = ['"', '“', '”', '„'];

/// A search as it was understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    /// All of these; never empty.
    pub wanted: Vec<Term>,
    /// None of these.
    pub unwanted: Vec<Term>,
}

/// Words side by side, often just one. What separates words is the backend's to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The words as they were typed, without what only says how to look for them.
    pub words: String,
    /// The last word may go on.
    pub prefix: bool,
}

impl Terms {
    /// Reads a search.
    ///
    /// # Errors
    /// If nothing is wanted, or the text is longer than [`limits::QUERY_BYTES_MAX`].
    pub fn read(text: &str) -> Result<Terms, IndexError> {
        if text.len() > limits::QUERY_BYTES_MAX {
            return Err(IndexError::QueryTooLong { bytes: text.len() });
        }
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let mut typed = split(&text);
        if let Some(Typed { wanted: true, closed: false, term }) = typed.last_mut() {
            term.prefix = true;
        }
        let mut terms = Terms::default();
        for Typed { wanted, term, .. } in typed {
            let list = if wanted { &mut terms.wanted } else { &mut terms.unwanted };
            list.push(term);
        }
        if terms.wanted.is_empty() {
            return Err(IndexError::EmptyQuery);
        }
        Ok(terms)
    }
}

/// A term as it stands in the text.
struct Typed {
    wanted: bool,
    /// It has a closing quote: the last word is as long as it will get.
    closed: bool,
    term: Term,
}

/// The terms in their order; what has no letter and no digit is none.
fn split(text: &str) -> Vec<Typed> {
    let mut typed = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (next, after) = first(rest);
        if next.term.words.chars().any(char::is_alphanumeric) {
            typed.push(next);
        }
        rest = after.trim_start();
    }
    typed
}

/// The first term of a text that does not begin with a space, and what comes after it.
fn first(text: &str) -> (Typed, &str) {
    let minus = text.strip_prefix('-');
    // A dash alone, or the two dashes of an option, leave nothing out.
    let minus = minus.filter(|rest| !rest.starts_with(|c: char| c == '-' || c.is_whitespace()));
    let (wanted, text) = minus.map_or((true, text), |rest| (false, rest));
    let (words, closed, prefix, rest) = match text.strip_prefix(QUOTES) {
        Some(text) => phrase(text),
        None => word(text),
    };
    (Typed { wanted, closed, term: Term { words: words.to_owned(), prefix } }, rest)
}

/// Words, whether they are closed, whether the last may go on, and the rest of the text.
type Cut<'a> = (&'a str, bool, bool, &'a str);

fn phrase(text: &str) -> Cut<'_> {
    let Some((words, rest)) = text.split_once(QUOTES) else {
        return (text, false, false, "");
    };
    let after = rest.trim_start_matches('*');
    (words, true, after.len() < rest.len(), after)
}

fn word(text: &str) -> Cut<'_> {
    let end = text.find(|c: char| c.is_whitespace() || QUOTES.contains(&c)).unwrap_or(text.len());
    let (whole, rest) = text.split_at(end);
    let word = whole.trim_end_matches('*');
    (word, false, word.len() < whole.len(), rest)
}

#[cfg(test)]
#[path = "terms_tests.rs"]
mod tests;
