//! Signals that say what an error says too.

/// Has a write beyond the limit of file sizes fail, as one on a full disk does: by itself the signal ends the process
/// without a word.
#[expect(unsafe_code, reason = "how a signal is met is told by a call of the system's C interface")]
pub fn outlive_the_limit_of_files() {
    // SAFETY: the call may be made at any time, and no handler runs for a signal that is ignored.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}
