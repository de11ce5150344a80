//! A limit on everything, in one place, each with its unit and its reason.

/// Characters of an id: a prefix and a hash fit, a sentence does not.
pub const ID_BYTES_MAX: usize = 96;

/// Bytes of a task's title: a heading for people, not a document.
pub const TITLE_BYTES_MAX: usize = 1_000;

/// Bytes of a display name.
pub const NAME_BYTES_MAX: usize = 200;

/// Bytes of one stored content (a message body, a tool's result): larger things are files.
pub const CONTENT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Writes in one commit: a commit is one step of somebody's work, not a bulk load, and the whole
/// group it is written with waits for it.
pub const COMMIT_WRITES_MAX: usize = 2_000;

/// Commits waiting for one file's writer: about a second of work at full speed. Beyond it the
/// caller is told to come back instead of filling memory.
pub const COMMITS_WAITING_MAX: usize = 10_000;

/// Commits written by one fsync: bounds how long the first of a group waits for the last.
pub const COMMITS_PER_GROUP_MAX: usize = 256;

/// Rows that one read returns: a page, so that no answer grows with history.
pub const ROWS_PER_READ_MAX: usize = 1_000;

/// Tokens of one subscription.
pub const SUBSCRIPTION_TOKENS_MAX: usize = 1_000;

/// Entries of an extension map.
pub const EXTENSION_KEYS_MAX: usize = 64;

/// Conditions of one predicate: a filter, not a program.
pub const CONDITIONS_MAX: usize = 16;

/// Stable references of one envelope.
pub const SOURCE_REFS_MAX: usize = 32;

/// Bytes of one envelope with all that its transport added: a message, not a file.
pub const ENVELOPE_BYTES_MAX: usize = 256 * 1024;

/// Bytes of a request's name.
pub const REQUEST_BYTES_MAX: usize = 200;

/// Schedules of one agent.
pub const SCHEDULES_MAX: usize = 100;

/// Open waits of one agent.
pub const WAITS_MAX: usize = 100;
