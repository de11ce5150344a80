//! Rust text, split into what the compiler reads and what people read.
//!
//! Not a parser: it knows where strings, characters and comments begin and end, so that braces and
//! words in them are not taken for code. Both views keep every line break and every byte offset.

/// One Rust file in two views of the same length.
pub(crate) struct Source {
    /// The text with strings, characters and comments blanked out.
    pub(crate) code: String,
    /// The text with everything but comments blanked out.
    pub(crate) comments: String,
}

impl Source {
    /// Reads a Rust text; an unfinished string or comment runs to the end of the file.
    pub(crate) fn read(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut code = Vec::with_capacity(bytes.len());
        let mut comments = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            let (kind, end) = next_piece(bytes, at);
            let piece = &bytes[at..end];
            let blank = || piece.iter().map(|b| if *b == b'\n' { b'\n' } else { b' ' });
            match kind {
                Kind::Code => code.extend(piece),
                Kind::Comment | Kind::Literal => code.extend(blank()),
            }
            match kind {
                Kind::Comment => comments.extend(piece),
                Kind::Code | Kind::Literal => comments.extend(blank()),
            }
            at = end;
        }
        Self { code: into_text(code), comments: into_text(comments) }
    }
}

/// The number of the line that holds the offset, from 1.
pub(crate) fn line_at(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset].iter().filter(|b| **b == b'\n').count() + 1
}

/// Whether the byte may be part of an identifier.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[derive(Clone, Copy)]
enum Kind {
    Code,
    Comment,
    Literal,
}

/// What starts at `at`, and where it ends. Code comes in pieces of one word or one byte.
fn next_piece(bytes: &[u8], at: usize) -> (Kind, usize) {
    let rest = &bytes[at..];
    match rest {
        [b'/', b'/', ..] => (Kind::Comment, at + line_comment(rest)),
        [b'/', b'*', ..] => (Kind::Comment, at + block_comment(rest)),
        [b'"', ..] => (Kind::Literal, at + quoted(rest, b'"')),
        [b'\'', ..] => match character(rest) {
            Some(length) => (Kind::Literal, at + length),
            None => (Kind::Code, at + 1),
        },
        [first, ..] if is_word(*first) => {
            let word = rest.iter().take_while(|b| is_word(**b)).count();
            match raw_string(&rest[..word], &rest[word..]) {
                Some(length) => (Kind::Literal, at + word + length),
                None => (Kind::Code, at + word),
            }
        }
        _ => (Kind::Code, at + 1),
    }
}

fn line_comment(rest: &[u8]) -> usize {
    rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len())
}

/// Block comments nest.
fn block_comment(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match &rest[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of a character literal, or none when the tick starts a lifetime.
fn character(rest: &[u8]) -> Option<usize> {
    match rest {
        [_, b'\\', ..] => Some(quoted(rest, b'\'')),
        [_, first, ..] => {
            let width = match first {
                0..0x80 => 1,
                0x80..0xe0 => 2,
                0xe0..0xf0 => 3,
                0xf0..=0xff => 4,
            };
            (rest.get(1 + width) == Some(&b'\'')).then_some(width + 2)
        }
        _ => None,
    }
}

/// The length of what follows `word`, if `word` opens a raw string there.
fn raw_string(word: &[u8], rest: &[u8]) -> Option<usize> {
    let hashes = rest.iter().take_while(|b| **b == b'#').count();
    if !matches!(word, b"r" | b"br" | b"cr") || rest.get(hashes) != Some(&b'"') {
        return None;
    }
    let close = [&b"\""[..], &rest[..hashes]].concat();
    let body = &rest[hashes + 1..];
    let end = body.windows(close.len()).position(|window| window == close);
    Some(end.map_or(rest.len(), |end| hashes + 1 + end + close.len()))
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("pieces begin and end between characters")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, code: &str, comments: &str) {
        let source = Source::read(text);
        assert_eq!(source.code.split_whitespace().collect::<Vec<_>>().join(" "), code);
        assert_eq!(source.comments.split_whitespace().collect::<Vec<_>>().join(" "), comments);
        assert_eq!((source.code.len(), source.comments.len()), (text.len(), text.len()));
    }

    #[test]
    fn comments_leave_the_code() {
        check("a // b {\nc", "a c", "// b {");
        check("a /* b /* c */ } */ d", "a d", "/* b /* c */ } */");
        check("/// \"doc\nfn", "fn", "/// \"doc");
    }

    #[test]
    fn strings_leave_the_code() {
        check(r#"a("}\"{ // no") + b"x""#, "a( ) + b", "");
        check("a(\"line\n// no\") b", "a( ) b", "");
    }

    #[test]
    fn raw_strings_end_at_their_own_mark() {
        check(r###"a(r#"x " { "#) r"\" br##"y"# "## b"###, "a( ) b", "");
        check("r#type var\"x\"", "r#type var", "");
    }

    #[test]
    fn a_lifetime_is_no_character() {
        check("<'a> '{' '\\'' 'é' '\"' b'}' &'static", "<'a> b &'static", "");
    }

    #[test]
    fn unfinished_pieces_run_to_the_end() {
        check("a \"b {", "a", "");
        check("a /* b", "a", "/* b");
        check("a r#\"b\"", "a", "");
    }

    #[test]
    fn lines_count_from_one() {
        assert_eq!((line_at("a\nb", 0), line_at("a\nb", 2)), (1, 2));
    }
}
