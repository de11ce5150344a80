//! Keeping Rust's panics out of C.

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::code::Code;

/// Runs `body`; a panic in it becomes the answer `broken`.
pub(super) fn guard(broken: Code, body: impl FnOnce() -> Result<(), Code>) -> c_int {
    // What a panic leaves half done is behind a mutex of the layer's, which it poisons.
    Code::answer(catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(broken)))
}
