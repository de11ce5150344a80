//! The index of a log: memory that all connections to a file read and write as SQLite has them do.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::{self, NonNull};

/// What a region begins at.
const ALIGNED: usize = 64;

/// The regions of an index. All are of one size, and none moves.
#[derive(Default)]
pub(crate) struct Regions {
    regions: Vec<NonNull<u8>>,
    bytes: usize,
}

// SAFETY: it owns its memory, and gives out nothing but where that lies.
unsafe impl Send for Regions {}

impl Regions {
    /// Where a region lies, made of zeros if it is to be. Null if it is not there; nothing if there is no memory, or
    /// if it is to be of another size than the others.
    pub(crate) fn region(&mut self, number: usize, bytes: usize, make: bool) -> Option<*mut u8> {
        if let Some(region) = self.regions.get(number) {
            return (bytes == self.bytes).then_some(region.as_ptr());
        }
        if !make {
            return Some(ptr::null_mut());
        }
        if bytes == 0 || !(self.regions.is_empty() || bytes == self.bytes) {
            return None;
        }
        self.bytes = bytes;
        while self.regions.len() <= number {
            // SAFETY: the layout is not empty.
            let region = NonNull::new(unsafe { alloc_zeroed(layout(bytes)?) })?;
            self.regions.push(region);
        }
        self.regions.last().map(|region| region.as_ptr())
    }
}

impl Drop for Regions {
    fn drop(&mut self) {
        let Some(layout) = layout(self.bytes) else { return };
        for region in self.regions.drain(..) {
            // SAFETY: it was taken with this layout, and SQLite looks at it no more once nobody does.
            unsafe { dealloc(region.as_ptr(), layout) };
        }
    }
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes, ALIGNED).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_made_once_and_stays_where_it_is() {
        let mut regions = Regions::default();
        assert_eq!(regions.region(0, 64, false), Some(ptr::null_mut()));
        let second = regions.region(1, 64, true).unwrap();
        let first = regions.region(0, 64, false).unwrap();
        assert!(!first.is_null() && !second.is_null() && first != second);
        assert_eq!(regions.region(1, 64, true), Some(second));
        assert_eq!((regions.region(1, 32, true), regions.region(2, 32, true)), (None, None));
        // SAFETY: a region has as many bytes as was asked for.
        assert!(unsafe { std::slice::from_raw_parts(second, 64) }.iter().all(|byte| *byte == 0));
    }
}
