//! Logs as they are measured.

use sqlite::Config;

/// Nothing is folded back into the files, so the logs' length is all that was written.
pub(crate) fn unfolded() -> Config {
    Config {
        checkpoint_pages: 1_000_000,
        commits_until_rest: usize::MAX,
        pages_until_rest: u32::MAX,
        ..Config::default()
    }
}
