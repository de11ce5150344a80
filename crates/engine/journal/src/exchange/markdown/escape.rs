//! Lines of text as Markdown, and back.

/// A text of one line so that Markdown shows it as it is.
pub(super) fn escape(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    for (place, c) in characters.iter().enumerate() {
        if needs(&characters, place) {
            out.push('\\');
        }
        out.push(*c);
    }
    out
}

/// The text that Markdown shows.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match rest.peek() {
            Some(next) if c == '\\' && next.is_ascii_punctuation() => out.extend(rest.next()),
            _ => out.push(c),
        }
    }
    out
}

/// Whether a character would be taken for something else.
fn needs(text: &[char], place: usize) -> bool {
    let before = place.checked_sub(1).map(|before| text[before]);
    let after = text.get(place + 1).copied();
    let first = text[..place].iter().all(|c| *c == ' ');
    match text[place] {
        '\\' | '`' | '*' | '[' | ']' | '<' => true,
        // Within a word it is a letter like any other.
        '_' => {
            !(before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric))
        }
        '>' => first || before == Some('-'),
        '#' | '+' | '-' | '=' => first,
        '.' | ')' => text[..place].iter().all(|c| c.is_ascii_digit() || *c == ' ') && !first,
        '~' => before == Some('~') || after == Some('~'),
        '&' => text[place + 1..]
            .iter()
            .find(|c| !(c.is_ascii_alphanumeric() || **c == '#'))
            .is_some_and(|c| *c == ';'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_words_stay_plain_and_marks_are_escaped() {
        for plain in ["Water the ferns", "snake_case in C", "a > b & c", "50 % – 3.5 km", "a - b"]
        {
            assert_eq!(escape(plain), plain);
        }
        for (text, escaped) in [
            ("*now*", "\\*now\\*"),
            ("# not a heading", "\\# not a heading"),
            ("1. first", "1\\. first"),
            ("- x", "\\- x"),
            ("[ ] box", "\\[ \\] box"),
            ("<!-- task -->", "\\<!-- task --\\>"),
            ("_so_", "\\_so\\_"),
            ("&amp;", "\\&amp;"),
        ] {
            assert_eq!(escape(text), escaped);
        }
        assert_eq!(unescape("C:\\new \\* \\"), "C:\\new * \\");
    }

    proptest! {
        #[test]
        fn every_line_comes_back(text in "\\PC{0,20}|[-#*_<>`\\\\ .!&;0-9\\[\\]~]{0,12}") {
            prop_assert_eq!(unescape(&escape(&text)), text);
        }
    }
}
