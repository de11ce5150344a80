//! Searches as people type them.

use types::limits;

use super::Harness;
use super::given::{check, note, put, query};
use crate::{Index, IndexError};

/// An index over a few texts, by name.
fn shelf(harness: &mut impl Harness, texts: &[(&str, &str)]) -> Box<dyn Index> {
    let index = harness.open();
    put(&*index, texts.iter().map(|(name, text)| note(name, "Title", text)).collect());
    index
}

/// In any order and at any distance.
pub fn words_are_all_wanted(harness: &mut impl Harness) {
    let texts = [("a", "milk and some bread"), ("b", "milk"), ("c", "bread, then milk")];
    let index = shelf(harness, &texts);
    check(&*index, "bread milk", &["a", "c"]);
    check(&*index, "milk", &["a", "b", "c"]);
    check(&*index, "milk bread butter", &[]);
}

/// One here, one there.
pub fn words_may_stand_in_title_and_text(harness: &mut impl Harness) {
    let index = harness.open();
    put(&*index, vec![note("a", "Shopping list", "milk"), note("b", "Shopping", "bread")]);
    check(&*index, "shopping milk", &["a"]);
    check(&*index, "\"list milk\"", &[]);
}

/// Whether or not the quote is closed.
pub fn a_phrase_is_side_by_side_and_in_order(harness: &mut impl Harness) {
    let texts =
        [("a", "oat milk now"), ("b", "milk of oat"), ("c", "oat-milk"), ("d", "oat milky")];
    let index = shelf(harness, &texts);
    check(&*index, "\"oat milk\"", &["a", "c"]);
    check(&*index, "“oat milk”", &["a", "c"]);
    check(&*index, "oat-milk now", &["a"]);
    check(&*index, "\"oat mil", &["a", "c", "d"]);
    check(&*index, "\"oat mil\"", &[]);
    check(&*index, "\"oat mil\"*", &["a", "c", "d"]);
    check(&*index, "\"milk oat\"", &[]);
}

/// Words, phrases and beginnings.
pub fn a_minus_leaves_out(harness: &mut impl Harness) {
    let texts = [("a", "oat milk"), ("b", "soy milk"), ("c", "milk of oat"), ("d", "milk")];
    let index = shelf(harness, &texts);
    check(&*index, "milk -oat", &["b", "d"]);
    check(&*index, "milk -\"oat milk\"", &["b", "c", "d"]);
    check(&*index, "milk -so* -of", &["a", "d"]);
    // What is left out is a whole word.
    check(&*index, "milk -oa", &["a", "b", "c", "d"]);
    check(&*index, "milk -milk", &[]);
    check(&*index, "milk -!!!", &["a", "b", "c", "d"]);
}

/// As while somebody is typing; a quote says that the word is whole.
pub fn the_last_word_and_a_star_find_what_goes_on(harness: &mut impl Harness) {
    let texts = [("a", "milk"), ("b", "milkshake bar"), ("c", "bare mile")];
    let index = shelf(harness, &texts);
    check(&*index, "m", &["a", "b", "c"]);
    check(&*index, "mil", &["a", "b", "c"]);
    check(&*index, "milk", &["a", "b"]);
    check(&*index, "\"milk\"", &["a"]);
    check(&*index, "milk bar", &[]);
    check(&*index, "milk* bar", &["b"]);
    check(&*index, "mil* bar", &["b", "c"]);
    check(&*index, "ilk", &[]);
}

/// However they are written, composed or not.
pub fn case_and_diacritics_do_not_matter(harness: &mut impl Harness) {
    let texts = [("a", "Herr Müller"), ("b", "MULLER"), ("c", "Mu\u{308}ller"), ("d", "Việt Nam")];
    let index = shelf(harness, &texts);
    for typed in ["müller", "muller", "MÜLLER", "mu\u{308}ller", "\"Müller\"", "mül"] {
        check(&*index, typed, &["a", "b", "c"]);
    }
    check(&*index, "viet", &["d"]);
}

/// They are looked for like any other.
pub fn words_that_other_languages_reserve_are_words(harness: &mut impl Harness) {
    let texts = [("a", "milk and bread or near not title"), ("b", "milk bread")];
    let index = shelf(harness, &texts);
    for typed in ["milk AND bread", "milk OR bread", "NOT milk", "NEAR milk", "AND", "OR OR"] {
        check(&*index, typed, &["a"]);
    }
}

/// Whatever is typed around the words or instead of one.
pub fn punctuation_and_pictures_between_words_do_not_matter(harness: &mut impl Harness) {
    let index = shelf(harness, &[("a", "salt & pepper"), ("b", "salt")]);
    let typed = [
        "salt & pepper",
        "(salt) {pepper}",
        "salt, pepper!",
        "^salt + pepper",
        "🎉 salt 🎉 pepper",
        "salt Ⓐ pepper",
        "'salt' ; pepper --",
        "salt\0pepper",
        "salt \" \" pepper",
        "salt * pepper*",
    ];
    for typed in typed {
        check(&*index, typed, &["a"]);
    }
    check(&*index, "title:salt", &[]);
}

/// It is not the same as finding nothing.
pub fn nothing_to_look_for_is_an_error_of_its_own(harness: &mut impl Harness) {
    let index = shelf(harness, &[("a", "milk")]);
    for typed in ["", "  ", "\0", "\"", "\"\"", "*", "-", "-milk", "🎉", "(:)", "-\"milk\" -bread"]
    {
        assert_eq!(index.search(&query(typed)), Err(IndexError::EmptyQuery), "{typed:?}");
    }
}

/// As many words, phrases and exclusions as fit; longer ones are told so.
pub fn the_longest_searches_are_searches(harness: &mut impl Harness) {
    let index = shelf(harness, &[("a", "a b c")]);
    let fill = |part: &str| part.repeat(limits::QUERY_BYTES_MAX / part.len());
    check(&*index, &fill("a "), &["a"]);
    check(&*index, &fill("\"a\""), &["a"]);
    check(&*index, &fill("a* "), &["a"]);
    check(&*index, &format!("a {}", &fill("-x ")[3..]), &["a"]);
    check(&*index, &fill("a-"), &[]);
    let longer = format!("{}{}", fill("a "), "a");
    let told = index.search(&query(&longer));
    assert_eq!(told, Err(IndexError::QueryTooLong { bytes: limits::QUERY_BYTES_MAX + 1 }));
}
