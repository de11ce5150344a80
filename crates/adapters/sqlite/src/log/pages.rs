//! Where in a log which page lies.

use std::collections::HashMap;

/// Bytes of what SQLite begins a log and each page in it with.
const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// What a write to a log is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Write {
    /// The beginning of a new log.
    Header,
    /// What comes before a page: which it is, and whether a transaction ends with it.
    FrameHeader { commits: bool },
    /// The page itself, and whether a transaction ends with it.
    Page { commits: bool },
    /// Anything else.
    Other,
}

/// What was seen of a log so far: how large its pages are, and where the last version of each lies.
#[derive(Default)]
pub(super) struct Pages {
    page_bytes: usize,
    latest: HashMap<u32, usize>,
    /// The page whose header was written last: where it belongs, which it is, whether it commits.
    expected: Option<(usize, u32, bool)>,
}

impl Pages {
    /// Takes a write in; says what it is, and where an older version of the same bytes lies.
    pub(super) fn see(&mut self, bytes: &[u8], at: usize) -> (Write, Option<usize>) {
        let expected = self.expected.take();
        if at == 0 && bytes.len() == HEADER {
            *self = Pages { page_bytes: page_bytes(bytes), ..Pages::default() };
            return (Write::Header, None);
        }
        match expected {
            Some((place, page, commits)) if place == at && bytes.len() == self.page_bytes => {
                let before = self.latest.insert(page, at);
                return (Write::Page { commits }, before.filter(|before| *before < at));
            }
            _ => {}
        }
        if bytes.len() == FRAME_HEADER && self.is_frame(at) {
            let commits = field(bytes, 4) != 0;
            self.expected = Some((at + FRAME_HEADER, field(bytes, 0), commits));
            let before = at.checked_sub(FRAME_HEADER + self.page_bytes);
            return (Write::FrameHeader { commits }, before.filter(|before| *before >= HEADER));
        }
        (Write::Other, None)
    }

    /// Forgets what lies at `at` and behind it.
    pub(super) fn forget_from(&mut self, at: usize) {
        self.latest.retain(|_, place| *place < at);
        self.expected = None;
    }

    fn is_frame(&self, at: usize) -> bool {
        let frame = FRAME_HEADER + self.page_bytes;
        self.page_bytes > 0 && at.checked_sub(HEADER).is_some_and(|from| from % frame == 0)
    }
}

/// The size of a page, as the header of a log says it.
fn page_bytes(header: &[u8]) -> usize {
    // SQLite's pages have at most 65,536 bytes.
    usize::try_from(field(header, 8)).ok().filter(|bytes| *bytes <= 65_536).unwrap_or(0)
}

fn field(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |field| u32::from_be_bytes(*field))
}
