//! A limit on everything, in one place, each with its unit and its reason.

/// Characters of an id: a prefix and a hash fit, a sentence does not.
pub const ID_BYTES_MAX: usize = 96;

/// Bytes of a task's title: a heading for people, not a document.
pub const TITLE_BYTES_MAX: usize = 1_000;

/// Bytes of a display name.
pub const NAME_BYTES_MAX: usize = 200;

/// Bytes of a search as somebody types it: a line, not a document to be looked for word by word.
pub const QUERY_BYTES_MAX: usize = 1_000;

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

/// Bytes of a journal entry: a long letter, not a book.
pub const ENTRY_BYTES_MAX: usize = 256 * 1024;

/// Bytes of a note beside something: a paragraph or two.
pub const NOTE_BYTES_MAX: usize = 8 * 1024;

/// Bytes of a path or an address.
pub const URI_BYTES_MAX: usize = 2_000;

/// Bytes of an item's place in its list; they grow by one when the same gap is halved five times.
pub const RANK_BYTES_MAX: usize = 200;

/// Labels of one task.
pub const TASK_LABELS_MAX: usize = 50;

/// Items of one checklist: more is a project.
pub const CHECKLIST_ITEMS_MAX: usize = 1_000;

/// Checklists of one task.
pub const CHECKLISTS_MAX: usize = 50;

/// Minutes of an estimate: a year.
pub const ESTIMATE_MINUTES_MAX: u32 = 366 * 24 * 60;

/// Milliseconds of one stretch of time: a week; longer is a mistake in a date.
pub const TIME_ENTRY_MS_MAX: i64 = 7 * 24 * 60 * 60 * 1_000;

/// Milliseconds of one block of a day plan.
pub const PLAN_BLOCK_MS_MAX: i64 = 24 * 60 * 60 * 1_000;

/// Blocks of one day plan.
pub const PLAN_BLOCKS_MAX: usize = 200;

/// Pinned tasks of one day plan.
pub const PLAN_PINS_MAX: usize = 100;

/// Days of one look at time, plans or ratings: a year.
pub const RANGE_DAYS_MAX: i64 = 366;

/// Dimensions of one rating.
pub const RATING_DIMENSIONS_MAX: usize = 20;

/// Bytes of a tool's name: what providers of models take.
pub const TOOL_NAME_BYTES_MAX: usize = 64;

/// Calls of tools in one answer of a model: a group is one commit.
pub const TOOL_GROUP_MAX: usize = 64;

/// Calls of one answer that are judged, or carried out, at once.
pub const TOOLS_AT_ONCE_MAX: usize = 8;

/// Milliseconds that a tool may take to say what a call would do, if it says nothing else: longer than any disk, and
/// shorter than anybody waits for an answer.
pub const TOOL_PLAN_MS: u64 = 30_000;

/// Bytes of the arguments of one call: as much as a message has.
pub const TOOL_ARGUMENTS_BYTES_MAX: usize = 256 * 1024;

/// Bytes of a tool's answer. Above it the answer is a beginning and a hash, for everybody.
pub const TOOL_ANSWER_BYTES_MAX: usize = 1024 * 1024;

/// Failures in a row that make an agent dormant, unless somebody says otherwise: the provider, the key or the
/// prompt is wrong, and going on would only spend. What is down for a night is no reason to give up.
pub const FAILURES_IN_A_ROW_MAX: u32 = 8;

/// Tokens of a tool's answer that a model sees, if nobody says otherwise.
pub const TOOL_OUTPUT_TOKENS: u64 = 8_000;

/// Tokens of a tool's answer that a model sees, whatever anybody says.
pub const TOOL_OUTPUT_TOKENS_MAX: u64 = 64_000;

/// Bytes of an error's details that a model sees.
pub const TOOL_DETAILS_BYTES_MAX: usize = 2_000;

/// Bytes of the beginning that stands for an answer or for details that are too long.
pub const TOOL_PREVIEW_BYTES_MAX: usize = 1_000;

/// Bytes of what a person is told went wrong, and of the way out: a page.
pub const PROBLEM_BYTES_MAX: usize = 4_000;

/// Bytes of an error's message, and of its hint.
pub const TOOL_MESSAGE_BYTES_MAX: usize = 1_000;

/// Ids of changed records that a model sees; the number of all stands beside them.
pub const TOOL_CHANGED_IDS_MAX: usize = 50;

/// Things that are wrong with the arguments of one call, as far as they are told.
pub const TOOL_COMPLAINTS_MAX: usize = 8;

/// Causes of a failure, and things besides, that its artifact names.
pub const FAILURE_DETAILS_MAX: usize = 16;

/// Bytes of one of them: a sentence, not a log.
pub const FAILURE_DETAIL_BYTES_MAX: usize = 500;

/// Bytes of what a model said that its agent's followers are told.
pub const EVENT_PREVIEW_BYTES_MAX: usize = 200;

/// Claims of one report.
pub const CLAIMS_MAX: usize = 200;

/// Sources of one claim.
pub const CLAIM_SOURCES_MAX: usize = 20;

/// Bytes of a report as it is written in a prompt: what its agent cannot read whole it would lose with the next one.
pub const REPORT_BYTES_MAX: usize = 10_000;

/// Notes that one call keeps.
pub const NOTES_PER_CALL_MAX: usize = 20;

/// How many newer changes are counted before a report is just called out of date.
pub const NEWER_CHANGES_MAX: usize = 100;

/// How many steps a chain of relations between tasks may have before it is taken for a circle.
pub const RELATION_DEPTH_MAX: usize = 1_000;

/// Bytes of what a template says to a model: it is sent with every call.
pub const TEMPLATE_ROLE_BYTES_MAX: usize = 6 * 1024;

/// Bytes of what a template asks for in a wake.
pub const TEMPLATE_ASK_BYTES_MAX: usize = 1_000;

/// Tools of a template: more are not chosen well, and a short list stays cached.
pub const TEMPLATE_TOOLS_MAX: usize = 12;

/// Answers of a model in one turn that a template may allow.
pub const TEMPLATE_ROUNDS_MAX: u32 = 50;

/// Bytes of a template's file.
pub const TEMPLATE_FILE_BYTES_MAX: usize = 64 * 1024;

/// Templates of a home besides those that are built in.
pub const TEMPLATES_MAX: usize = 200;

/// How often a fast model is asked what somebody means: an answer that is not clear may have been an accident, two
/// are not.
pub const MEANING_TRIES: u32 = 2;

/// Tokens of what it is asked about: what is longer would cost more than it is worth to know.
pub const MEANING_WORDS_TOKENS_MAX: u64 = 8_000;

/// Tokens of its answer. One word is asked for; some models think aloud before it.
pub const MEANING_TOKENS: u64 = 256;

/// Tokens that prompt and answer have together, where nobody says how many the model holds.
pub const CONTEXT_TOKENS: u64 = 32_000;

/// Tokens of the shortest prompt, beside what an agent's prompts begin with and the tools it is offered: its task,
/// why it woke, and a word to it. Most take more.
pub const PROMPT_TOKENS_MIN: u64 = 400;

/// Sessions of one conversation, or with one agent, that are told: as many as people still find their way in.
pub const SESSIONS_MAX: usize = 500;

/// Days for which a change stays in the log, unless the operator says otherwise: a year, and a month to notice.
pub const CHANGES_KEPT_DAYS: u32 = 400;

/// The fewest and the most days that an operator may ask for. No report is fresh longer than the fewest.
pub const CHANGES_KEPT_DAYS_RANGE: (u32, u32) = (60, 36_500);

/// The newest changes of a log, which stay whatever the clock says.
pub const CHANGES_KEPT_MIN: u64 = 10_000;
