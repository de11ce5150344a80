//! Going out and coming in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The journal as a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportReply {
    /// In which format.
    pub format: String,
    /// The text.
    pub text: String,
    /// Records of kinds that this version does not know, and so left aside.
    pub unknown: usize,
}

/// A file to bring in, or the last piece of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportParams {
    /// `json`, `markdown`, `taskwarrior` or `todotxt`.
    pub format: String,
    /// What it says, or the last piece of it.
    pub text: String,
    /// Under which name the pieces before it came.
    #[serde(default)]
    pub upload: Option<String>,
    /// How many came before it.
    #[serde(default)]
    pub piece: Option<usize>,
    /// Where things go that do not say where they belong.
    #[serde(default)]
    pub category: Option<String>,
    /// Take what the file says where the journal says something else.
    #[serde(default)]
    pub replace: bool,
    /// Keep what the journal says where the file says something else.
    #[serde(default)]
    pub skip: bool,
    /// Only say what would come in.
    #[serde(default)]
    pub preview: bool,
}

/// The name under which the other pieces of a file come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadReply {
    /// The name.
    pub upload: String,
}

/// What became of a file; numbers by what they count, such as `tasks`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportReply {
    /// In which format it was.
    pub format: String,
    /// New here, or there again.
    pub added: BTreeMap<String, usize>,
    /// Taken from the file in place of what was there.
    pub replaced: BTreeMap<String, usize>,
    /// Here already, just so.
    pub unchanged: BTreeMap<String, usize>,
    /// Kept as the journal has it.
    pub skipped: BTreeMap<String, usize>,
    /// Passed over on purpose.
    pub left_out: BTreeMap<String, usize>,
    /// The operations, by which it can be undone: the last one first.
    pub operations: Vec<String>,
    /// It was only shown.
    pub preview: bool,
}
