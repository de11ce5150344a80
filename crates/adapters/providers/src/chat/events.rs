//! From bytes to events, as server-sent events are defined.
//!
//! Lines end with LF, CR or both. A line that begins with a colon says nothing, `data` lines add up to
//! an event, an empty line ends it. Bytes may be cut anywhere: nothing is decoded before its line is
//! whole.

use super::stream::DONE;
use crate::answer::Wrong;

/// What has been read of a stream and is not yet an event.
#[derive(Debug, Default)]
pub(super) struct Events {
    line: Vec<u8>,
    data: Option<String>,
    /// The last byte was a CR: an LF after it belongs to it.
    after_cr: bool,
    /// The first line has been read, so that no mark of the byte order can follow.
    begun: bool,
}

/// Bytes of one event, or of a line of it. An answer that can be kept has half as many, and what is read into
/// values takes many times the room of its text.
const EVENT_BYTES_MAX: usize = 1 << 20;

impl Events {
    /// Hands on the data of each event that these bytes complete.
    pub(super) fn feed(
        &mut self,
        bytes: &[u8],
        mut event: impl FnMut(&str) -> Result<(), Wrong>,
    ) -> Result<(), Wrong> {
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if self.after_cr && first == b'\n' {
                rest = &rest[1..];
            }
            self.after_cr = false;
            let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.line.extend_from_slice(rest);
                return self.bounded();
            };
            self.line.extend_from_slice(&rest[..end]);
            self.after_cr = rest[end] == b'\r';
            rest = &rest[end + 1..];
            self.bounded()?;
            if let Some(data) = self.line()? {
                event(&data)?;
            }
        }
        Ok(())
    }

    /// Bytes of an event that is not whole yet.
    pub(super) fn pending(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, String::len)
    }

    fn bounded(&self) -> Result<(), Wrong> {
        match self.pending() > EVENT_BYTES_MAX {
            true => Err(Wrong::invalid("a piece of the stream is too long")),
            false => Ok(()),
        }
    }

    /// The stream is over. An event that was not ended is none: its writer died before it had said all.
    /// Only the mark of the end is believed without an empty line after it.
    pub(super) fn end(mut self) -> Option<String> {
        // A letter that was cut in two is no fault of the text but of its end.
        let last = self.line().unwrap_or_default();
        last.or(self.data).filter(|data| data.trim_end() == DONE)
    }

    /// One line is whole.
    fn line(&mut self) -> Result<Option<String>, Wrong> {
        let line = std::mem::take(&mut self.line);
        let line =
            std::str::from_utf8(&line).map_err(|_| Wrong::invalid("the stream is no text"))?;
        let line = if self.begun { line } else { line.trim_start_matches('\u{feff}') };
        self.begun = true;
        if line.is_empty() {
            return Ok(self.data.take());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        if field == "data" {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(wire: &str) -> (Vec<String>, Option<String>) {
        let mut events = Events::default();
        let mut complete = Vec::new();
        let keep = |data: &str| {
            complete.push(data.to_owned());
            Ok(())
        };
        events.feed(wire.as_bytes(), keep).unwrap();
        (complete, events.end())
    }

    #[test]
    fn lines_end_in_three_ways_and_comments_say_nothing() {
        for end in ["\n", "\r\n", "\r"] {
            let wire = [
                ": hello", "event: x", "id: 1", "data: a", "data:b", "data", "", "", "data: c", "",
            ];
            let (complete, _) = read(&(wire.join(end) + end));
            assert_eq!(complete, ["a\nb\n", "c"], "{end:?}");
        }
    }

    #[test]
    fn only_the_mark_of_the_end_needs_no_empty_line() {
        assert_eq!(
            read("data: {}\n\ndata: [DONE]"),
            (vec!["{}".to_owned()], Some("[DONE]".to_owned()))
        );
        assert_eq!(read("data: [DONE]\r").1.as_deref(), Some("[DONE]"));
        assert_eq!(read("data: {}\n\ndata: {}"), (vec!["{}".to_owned()], None));
        assert_eq!(read("\u{feff}data: a\n\n").0, ["a"]);
    }

    #[test]
    fn what_is_no_text_is_refused() {
        assert!(Events::default().feed(b"data: \xff\n", |_| Ok(())).is_err());
    }
}
