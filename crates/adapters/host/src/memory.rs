//! Memory from the machine, and back to it.

/// Who hands out memory. Small pieces on several threads were a seventh of a turn's time with the system's
/// own.
pub use mimalloc::MiMalloc as Allocator;

/// Makes memory that is freed go back to the machine at once. Otherwise the allocator keeps it until it is
/// asked for more, and one that sleeps is never asked.
#[expect(unsafe_code, reason = "the allocator is told by a call of its C interface")]
pub fn give_memory_back_at_once() {
    // mimalloc's `mi_option_purge_delay`, in milliseconds. The binding has no name for it.
    const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
    // SAFETY: the call takes two numbers, may be made at any time, and ignores an option it does not know.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, 0) };
}
