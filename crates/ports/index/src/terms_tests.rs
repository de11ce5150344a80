//! What people type, and what it means.

use super::*;

/// Terms as one line: a star after what may go on, a minus before what is unwanted.
fn shown(text: &str) -> String {
    let terms = match Terms::read(text) {
        Ok(terms) => terms,
        Err(IndexError::EmptyQuery) => return "nothing".to_owned(),
        Err(error) => return error.to_string(),
    };
    let show = |sign: &str, term: &Term| {
        format!("{sign}[{}]{}", term.words, if term.prefix { "*" } else { "" })
    };
    let wanted = terms.wanted.iter().map(|term| show("", term));
    wanted.chain(terms.unwanted.iter().map(|term| show("-", term))).collect::<Vec<_>>().join(" ")
}

fn check(table: &[(&str, &str)]) {
    for (typed, expected) in table {
        assert_eq!(shown(typed), *expected, "{typed:?}");
    }
}

#[test]
fn words_are_all_wanted_and_the_last_may_go_on() {
    check(&[
        ("milk", "[milk]*"),
        ("  oat   milk ", "[oat] [milk]*"),
        ("oat\tmilk\nbread", "[oat] [milk] [bread]*"),
        ("mil* oat", "[mil]* [oat]*"),
        ("mil** oat", "[mil]* [oat]*"),
        ("Müller's", "[Müller's]*"),
        ("well-known", "[well-known]*"),
    ]);
}

#[test]
fn quotes_keep_words_together() {
    check(&[
        ("\"oat milk\"", "[oat milk]"),
        ("\"oat milk\"*", "[oat milk]*"),
        ("“oat milk”", "[oat milk]"),
        ("„oat milk“ bread", "[oat milk] [bread]*"),
        ("\"oat mil", "[oat mil]*"),
        ("oat\"milk bread\"", "[oat] [milk bread]"),
        ("\"milk\"bread", "[milk] [bread]*"),
        ("\"\" milk", "[milk]*"),
    ]);
}

#[test]
fn a_minus_leaves_out() {
    check(&[
        ("milk -oat", "[milk] -[oat]"),
        ("-oat milk", "[milk]* -[oat]"),
        ("milk -\"oat milk\" -so*", "[milk] -[oat milk] -[so]*"),
        ("milk -\"oat mi", "[milk] -[oat mi]"),
        ("milk - oat", "[milk] [oat]*"),
        ("milk -", "[milk]*"),
        ("--help", "[--help]*"),
        ("a-b", "[a-b]*"),
    ]);
}

#[test]
fn what_other_languages_would_read_as_orders_is_words() {
    check(&[
        ("milk AND bread", "[milk] [AND] [bread]*"),
        ("NOT milk", "[NOT] [milk]*"),
        ("NEAR(milk bread, 5)", "[NEAR(milk] [bread,] [5)]*"),
        ("title:milk", "[title:milk]*"),
        ("(milk) {bread} ^oat", "[(milk)] [{bread}] [^oat]*"),
        ("mi\0lk", "[mi] [lk]*"),
    ]);
}

#[test]
fn what_has_no_letter_and_no_digit_is_nothing() {
    check(&[
        ("", "nothing"),
        (" \t\n\0", "nothing"),
        ("\"", "nothing"),
        ("\"\"", "nothing"),
        ("*", "nothing"),
        ("-", "nothing"),
        ("!?… ()", "nothing"),
        ("🎉🥛", "nothing"),
        ("-oat", "nothing"),
        ("salt & pepper", "[salt] [pepper]*"),
        ("milk 🥛", "[milk]*"),
    ]);
}

#[test]
fn a_search_is_a_line_and_not_a_document() {
    let most = "m".repeat(limits::QUERY_BYTES_MAX);
    assert_eq!(shown(&most), format!("[{most}]*"));
    assert_eq!(
        Terms::read(&format!("{most}m")),
        Err(IndexError::QueryTooLong { bytes: limits::QUERY_BYTES_MAX + 1 })
    );
}
