//! Memory from the machine, and back to it.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// How long memory that is freed is kept for whoever asks next. What is in use again a moment later would cost
/// two calls of the machine and a fault for every page of it.
const KEPT_MS: std::ffi::c_long = 100;

/// Makes memory that is freed go back to the machine soon. What is still kept when the work comes to rest goes
/// back then: see [`come_to_rest`].
#[expect(unsafe_code, reason = "the allocator is told by a call of its C interface")]
pub fn give_memory_back_soon() {
    // mimalloc's `mi_option_purge_delay`, in milliseconds. The binding has no name for it.
    const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
    // SAFETY: the call takes two numbers, may be made at any time, and ignores an option it does not know.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, KEPT_MS) };
}

/// How often the work has come to rest.
static RESTS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// How often it had when this thread last put its own memory in order.
    static TIDIED: Cell<u64> = const { Cell::new(0) };
}

/// The work has come to rest: whoever tidies up gives back what it keeps for the next piece of it, this thread
/// now and others when they go to sleep.
pub fn come_to_rest() {
    RESTS.fetch_add(1, Ordering::Relaxed);
    tidy_after_work();
}

/// Gives back what this thread keeps, if the work has come to rest since it last did. For threads to call
/// before they go to sleep: in the middle of work it would cost more than it gains.
pub fn tidy_after_work() {
    let rests = RESTS.load(Ordering::Relaxed);
    if TIDIED.replace(rests) != rests {
        tidy();
    }
}

/// Gives back what this thread keeps.
#[expect(unsafe_code, reason = "the allocator is told by a call of its C interface")]
pub fn tidy() {
    // SAFETY: the call takes a flag, may be made at any time and by any thread, and frees only what nobody holds.
    unsafe { libmimalloc_sys::mi_collect(true) };
}
