//! Where in a log which page lies, and when it was written.

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
    latest: HashMap<u32, Version>,
    /// The page whose header was written last: where it belongs, which it is, whether it commits.
    expected: Option<(usize, u32, bool)>,
    /// Pages that were written, also to logs before this one, and how many had been when it last forgot some.
    written: u64,
    forgot_at: u64,
}

/// The last version of a page: where it lies, and as the how manieth page it was written.
#[derive(Clone, Copy)]
struct Version {
    at: usize,
    number: u64,
}

impl Pages {
    /// Takes a write in; says what it is, and where an older version of the same bytes lies.
    pub(super) fn see(&mut self, bytes: &[u8], at: usize) -> (Write, Option<usize>) {
        let expected = self.expected.take();
        if at == 0 && bytes.len() == HEADER {
            self.forget_from(0);
            self.page_bytes = page_bytes(bytes);
            return (Write::Header, None);
        }
        match expected {
            Some((place, page, commits)) if place == at && bytes.len() == self.page_bytes => {
                self.written += 1;
                let version = Version { at, number: self.written };
                let before = self.latest.insert(page, version).map(|before| before.at);
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
        match at {
            0 => self.latest = HashMap::new(),
            _ => self.latest.retain(|_, version| version.at < at),
        }
        self.expected = None;
        self.forgot_at = self.written;
    }

    /// Goes on to count where another has ended. Nobody who relies on that one knows anything of this.
    pub(super) fn go_on_from(&mut self, other: &Pages) {
        self.written += other.written + 1;
        self.forgot_at = self.written;
    }

    /// How many pages were written.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Whether a page is certainly none of those that were written after the first `since`. Who has seen none knows
    /// nothing: there may be no log at all.
    pub(super) fn is_untouched(&self, page: u32, since: u64) -> bool {
        let written = || self.latest.get(&page).is_some_and(|version| version.number > since);
        since > 0 && since >= self.forgot_at && !written()
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
