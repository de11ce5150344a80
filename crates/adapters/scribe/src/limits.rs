//! How much the scribe says: each with its unit and its reason.

/// Bytes of a report: two pages, so that it is read.
pub(crate) const REPORT_BYTES_MAX: usize = 6_000;

/// Claims of a report; every line of it is one.
pub(crate) const CLAIMS_MAX: usize = 40;

/// Records that one claim names.
pub(crate) const SOURCES_MAX: usize = 8;

/// Bytes of somebody's words in one line.
pub(crate) const LINE_BYTES_MAX: usize = 200;

/// Bytes of what came from outside, as it is quoted.
pub(crate) const QUOTE_BYTES_MAX: usize = 240;

/// Bytes of one private note of a wake.
pub(crate) const NOTE_BYTES_MAX: usize = 500;

/// Bytes of a note that the operator asks for.
pub(crate) const NOTED_BYTES_MAX: usize = 2_000;

/// Names in one sentence; how many more there are stands behind them.
pub(crate) const NAMES_MAX: usize = 6;

/// Lines of one section of a report, so that no section takes the place of all others.
pub(crate) const SECTION_LINES_MAX: usize = 14;

/// Orders in one message: more is a list, and lists are one order.
pub(crate) const ORDERS_MAX: usize = 12;

/// Days without a change after which it is worth a note.
pub(crate) const IDLE_DAYS: i64 = 14;
