//! Reading lines of a bounded length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Without its end.
    Whole(Vec<u8>),
    /// It was longer than it may be, and was passed over up to its end.
    TooLong,
}

/// Reads the next line; none at the end. What comes after the last line's end is no line: its writer
/// died before it had said all.
pub(crate) async fn read(
    from: &mut (impl AsyncBufRead + Unpin),
    bytes_max: usize,
) -> io::Result<Option<Line>> {
    let mut line = Some(Vec::new());
    loop {
        let bytes = from.fill_buf().await?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        line = line.filter(|line| line.len() + part.len() <= bytes_max);
        if let Some(line) = &mut line {
            line.extend_from_slice(part);
        }
        let taken = part.len() + usize::from(end.is_some());
        from.consume(taken);
        if end.is_some() {
            return Ok(Some(line.map_or(Line::TooLong, Line::Whole)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::BufReader;

    /// All lines of a text of at most five bytes each, read in pieces of three.
    fn lines(text: &str) -> Vec<Line> {
        let mut from = BufReader::with_capacity(3, text.as_bytes());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut lines = Vec::new();
        while let Some(line) = runtime.block_on(read(&mut from, 5)).unwrap() {
            lines.push(line);
        }
        lines
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_are_read_one_by_one_whatever_the_pieces_they_come_in() {
        assert_eq!(lines("ab\n\ncdefg\n"), [whole("ab"), whole(""), whole("cdefg")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over_and_the_next_one_is_read() {
        assert_eq!(lines("abcdef\nx\n"), [Line::TooLong, whole("x")]);
        assert_eq!(lines("abcdefghijklmnop\nx\n"), [Line::TooLong, whole("x")]);
    }

    #[test]
    fn a_line_without_its_end_is_none() {
        assert_eq!(lines("ab\ncd"), [whole("ab")]);
        assert_eq!(lines(""), []);
    }
}
