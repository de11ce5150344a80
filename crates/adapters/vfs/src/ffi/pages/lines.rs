//! The memory that pages lie in: some at a time, and all given back at once.

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_int;
use std::ptr::{self, NonNull};

use rusqlite::ffi::sqlite3_pcache_page;

/// Pages whose memory is taken at once. So much that it is a piece by itself, which goes back to the machine whole
/// and by whichever thread; what is not used yet of it takes no memory.
const AT_ONCE: usize = 512;

/// What a page begins at, in memory.
const ALIGNED: usize = 64;

/// What a page begins with: what SQLite is shown of it, and where it lies. What SQLite keeps beside the page
/// follows at once, then the page.
#[repr(C)]
pub(super) struct Line {
    shown: sqlite3_pcache_page,
    pub(super) place: usize,
}

const _: () =
    assert!(size_of::<Line>().is_multiple_of(8), "SQLite aligns what is its own to 8 bytes");

pub(super) struct Lines {
    blocks: Vec<NonNull<u8>>,
    block: Layout,
    /// From one line to the next, and in each to the page.
    line: usize,
    to_page: usize,
}

impl Lines {
    /// Lines for pages of so many bytes, each with so many beside it; nothing if nobody has that much memory.
    pub(super) fn new(page: c_int, beside: c_int) -> Option<Lines> {
        let (page, beside) = (usize::try_from(page).ok()?, usize::try_from(beside).ok()?);
        let to_page = size_of::<Line>().checked_add(beside)?.checked_next_multiple_of(ALIGNED)?;
        let line = to_page.checked_add(page)?.checked_next_multiple_of(ALIGNED)?;
        let block = Layout::from_size_align(line.checked_mul(AT_ONCE)?, ALIGNED).ok()?;
        Some(Lines { blocks: vec![], block, line, to_page })
    }

    /// The line of a place that was made new before.
    pub(super) fn at(&self, place: usize) -> *mut Line {
        let block = self.blocks[place / AT_ONCE].as_ptr();
        // SAFETY: a block is `AT_ONCE` lines long.
        unsafe { block.add(place % AT_ONCE * self.line) }.cast()
    }

    /// Makes the line of a place ready for a page that SQLite has not seen there; nothing if there is no memory.
    pub(super) fn renew(&mut self, place: usize) -> Option<*mut Line> {
        while self.blocks.len() <= place / AT_ONCE {
            // SAFETY: the layout is not empty: a line is longer than its head.
            let block = NonNull::new(unsafe { alloc(self.block) })?;
            self.blocks.push(block);
        }
        let line = self.at(place);
        // SAFETY: the line is ours, aligned, and as long as its three parts; nobody looks at it now. SQLite
        // takes a page for a new one if what it keeps beside it begins with a null pointer.
        unsafe {
            let beside = line.add(1);
            let page = line.cast::<u8>().add(self.to_page);
            beside.cast::<*mut u8>().write(ptr::null_mut());
            line.write(Line {
                shown: sqlite3_pcache_page { pBuf: page.cast(), pExtra: beside.cast() },
                place,
            });
        }
        Some(line)
    }

    /// Gives all memory back.
    pub(super) fn give_back(&mut self) {
        for block in self.blocks.drain(..) {
            // SAFETY: it was taken with this layout, and nobody holds a page any more, says whoever drops them.
            unsafe { dealloc(block.as_ptr(), self.block) };
        }
        self.blocks.shrink_to_fit();
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.give_back();
    }
}
