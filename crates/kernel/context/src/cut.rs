//! Single texts, cut to size.

use std::borrow::Cow;

/// Bytes of a character inside a JSON string.
fn written_char(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if c < ' ' => 6,
        c => c.len_utf8(),
    }
}

/// Bytes of a text inside a JSON string, which is how every text gets into a prompt. Some at a time, so that
/// their sum is a byte too and a processor adds up many at once.
pub(crate) fn written(text: &str) -> usize {
    const AT_ONCE: usize = 32;
    let more = |bytes: &[u8]| usize::from(bytes.iter().map(escaped_by).sum::<u8>());
    text.len() + text.as_bytes().chunks(AT_ONCE).map(more).sum::<usize>()
}

/// Bytes that a byte takes besides itself: none outside ASCII, where characters are written as they are.
fn escaped_by(byte: &u8) -> u8 {
    let short = matches!(byte, 8..=10 | 12..=13 | b'"' | b'\\');
    let control = *byte < b' ';
    u8::from(short) + 5 * u8::from(control & !short)
}

/// The text if it takes at most `max` bytes as it is written, or its beginning and how much is missing.
/// The note of what is missing comes on top of `max`, and is never longer than what it stands for.
pub(crate) fn cut(text: &str, max: usize) -> Cow<'_, str> {
    let (kept, missing) = text.split_at(end_within(text, max));
    let note = format!("… [{} bytes left out]", missing.len());
    match written(missing) <= note.len() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(format!("{kept}{note}")),
    }
}

/// Where the longest beginning ends that takes at most `max` bytes as it is written.
pub(crate) fn end_within(text: &str, max: usize) -> usize {
    if written(text) <= max {
        return text.len();
    }
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += written_char(c);
        if used > max {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_is_cut_between_characters_and_says_how_much_is_missing() {
        assert_eq!(cut("short", 5), "short");
        let (longer, quoted) = (format!("größer{}", "!".repeat(40)), "\"".repeat(40));
        assert_eq!(cut(&longer, 3), "gr… [46 bytes left out]");
        assert_eq!(cut(&longer, 4), "grö… [44 bytes left out]");
        assert_eq!(cut(&quoted, 5), "\"\"… [38 bytes left out]");
        assert_eq!(cut("größer", 3), "größer", "the note would be longer");
    }

    proptest! {
        #[test]
        fn the_size_of_a_text_is_the_size_it_has_in_json(text in any::<String>()) {
            prop_assert_eq!(written(&text) + 2, serde_json::to_string(&text).unwrap().len());
        }

        #[test]
        fn a_cut_text_is_a_beginning_that_fits(text in any::<String>(), max in 0_usize..64) {
            let end = end_within(&text, max);
            prop_assert!(written(&text[..end]) <= max);
            prop_assert!(cut(&text, max).starts_with(&text[..end]));
        }
    }
}
