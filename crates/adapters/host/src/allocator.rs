//! Handing out memory.
#![expect(
    unsafe_code,
    reason = "the allocator is C, and whoever hands out memory promises what C cannot"
)]

use std::alloc::{GlobalAlloc, Layout};

use libmimalloc_sys as mimalloc;

/// What every piece is aligned to, unasked: it begins where a pointer may.
const ALIGNED: usize = size_of::<usize>();

/// Who hands out memory: mimalloc. Small pieces on several threads were a seventh of a turn's time with the
/// system's own. Nearly all pieces are aligned without a word about it; who asks for that all the same is sent a
/// longer way round, and gets a larger piece.
pub struct Allocator;

// SAFETY: the pieces are those of one allocator, as large as asked for. One that has to be aligned to more than
// all are is asked for with its alignment, when it is handed out and whenever it grows.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the calls take any size, and an alignment that is a power of two.
        let piece = unsafe {
            match layout.align() {
                ..=ALIGNED => mimalloc::mi_malloc(layout.size()),
                align => mimalloc::mi_malloc_aligned(layout.size(), align),
            }
        };
        piece.cast()
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let piece = unsafe {
            match layout.align() {
                ..=ALIGNED => mimalloc::mi_zalloc(layout.size()),
                align => mimalloc::mi_zalloc_aligned(layout.size(), align),
            }
        };
        piece.cast()
    }

    #[inline]
    unsafe fn dealloc(&self, piece: *mut u8, _layout: Layout) {
        // SAFETY: the piece was handed out here, says the caller.
        unsafe { mimalloc::mi_free(piece.cast()) };
    }

    #[inline]
    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the piece was handed out here, says the caller; the rest is as above.
        let piece = unsafe {
            match layout.align() {
                ..=ALIGNED => mimalloc::mi_realloc(piece.cast(), size),
                align => mimalloc::mi_realloc_aligned(piece.cast(), size, align),
            }
        };
        piece.cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_aligned(piece: *mut u8, layout: Layout) -> bool {
        !piece.is_null() && piece.addr().is_multiple_of(layout.align())
    }

    #[test]
    fn pieces_of_any_size_and_alignment_begin_where_they_should_and_keep_what_is_in_them() {
        for align in [1, 2, 4, 8, 16, 64, 4_096] {
            for size in [1, 7, 8, 24, 40, 100, 1_024, 1_500, 70_000] {
                let layout = Layout::from_size_align(size, align).unwrap();
                // SAFETY: the layouts are not empty, and each piece is used as long as it was asked for.
                unsafe {
                    let zeroed = Allocator.alloc_zeroed(layout);
                    assert!(is_aligned(zeroed, layout), "{layout:?}");
                    assert!((0..size).all(|at| zeroed.add(at).read() == 0), "{layout:?}");
                    let piece = Allocator.alloc(layout);
                    assert!(is_aligned(piece, layout), "{layout:?}");
                    piece.write_bytes(7, size);
                    let grown = Allocator.realloc(piece, layout, size * 3);
                    assert!(is_aligned(grown, layout), "{layout:?}");
                    assert!((0..size).all(|at| grown.add(at).read() == 7), "{layout:?}");
                    Allocator.dealloc(grown, Layout::from_size_align(size * 3, align).unwrap());
                    Allocator.dealloc(zeroed, layout);
                }
            }
        }
    }
}
