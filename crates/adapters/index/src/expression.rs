//! From terms to what FTS5 is asked to match.

use index::{Term, Terms};

/// An expression in FTS5's language, in which everything that was typed is inside of quotes.
///
/// Wanted terms stand side by side, without `AND`: of these FTS5 leaves out the ones in which its
/// tokenizer finds no word, as in a lone `Ⓐ`, where `AND` would find nothing for all of them.
pub(crate) fn expression(terms: &Terms) -> String {
    let wanted = joined(&terms.wanted, " ");
    if terms.unwanted.is_empty() {
        return wanted;
    }
    // One NOT over a flat list: each NOT of its own would be a step deeper, and depth is limited.
    format!("{wanted} NOT ({})", joined(&terms.unwanted, " OR "))
}

fn joined(terms: &[Term], between: &str) -> String {
    terms.iter().map(quoted).collect::<Vec<_>>().join(between)
}

fn quoted(term: &Term) -> String {
    let words = term.words.replace('"', "\"\"");
    format!("\"{words}\"{}", if term.prefix { " *" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_become_quoted_strings() {
        for (typed, expected) in [
            ("milk", "\"milk\" *"),
            ("oat milk", "\"oat\" \"milk\" *"),
            ("\"oat milk\" bread", "\"oat milk\" \"bread\" *"),
            ("mil* \"oat\"", "\"mil\" * \"oat\""),
            ("milk -oat -\"so*y\"", "\"milk\" NOT (\"oat\" OR \"so*y\")"),
            ("NEAR(a b) AND c:d", "\"NEAR(a\" \"b)\" \"AND\" \"c:d\" *"),
        ] {
            assert_eq!(expression(&Terms::read(typed).unwrap()), expected, "{typed:?}");
        }
    }

    #[test]
    fn a_quote_within_a_term_does_not_end_it() {
        let term = Term { words: "a\" OR \"b".to_owned(), prefix: false };
        let terms = Terms { wanted: vec![term], unwanted: vec![] };
        assert_eq!(expression(&terms), "\"a\"\" OR \"\"b\"");
    }
}
