//! Keeping Rust's panics out of C.

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `body`; a panic in it becomes the answer `broken`.
pub(super) fn guard(broken: c_int, body: impl FnOnce() -> c_int) -> c_int {
    // What a panic leaves half done is behind the world's mutex, which it poisons.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(broken)
}
