//! What is shown of a hit.

use index::MARKS;

/// Around a match as FTS5 hands it out. No document has them: see `put::plain`.
pub(crate) const OPEN: &str = "\u{2}";
/// The other end.
pub(crate) const CLOSE: &str = "\u{3}";

/// One line: of the text if there is a match in it, else of the title.
pub(crate) fn excerpt(title: &str, text: &str) -> String {
    let chosen = if text.contains(OPEN) { text } else { title };
    let words: Vec<&str> = chosen.split_whitespace().collect();
    let show = |c| match c {
        '\u{2}' => MARKS.0,
        '\u{3}' => MARKS.1,
        '«' => '‹',
        '»' => '›',
        other => other,
    };
    words.join(" ").chars().map(show).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_comes_before_the_title_if_it_fits() {
        assert_eq!(excerpt("\u{2}a\u{3} b", "c \u{2}a\u{3}"), "c «a»");
        assert_eq!(excerpt("\u{2}a\u{3} b", "c d"), "«a» b");
    }

    #[test]
    fn an_excerpt_is_one_line_with_marks_of_its_own() {
        assert_eq!(excerpt("", " «x»\n\n\t\u{2}a\u{3}…"), "‹x› «a»…");
    }
}
