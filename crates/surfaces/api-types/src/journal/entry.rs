//! Notes and labels as they are shown.

use serde::{Deserialize, Serialize};
use types::At;

/// A note, a recording or a picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntryReply {
    /// Its id.
    pub id: String,
    /// `text`, `audio` or `image`.
    pub kind: String,
    /// The words, or what was said or is to be seen.
    pub text: String,
    /// Where the recording or picture lies.
    pub media_uri: Option<String>,
    /// What it is, such as `audio/ogg`.
    pub media_type: Option<String>,
    /// The name of its category.
    pub category: String,
    /// The task it is about.
    pub task: Option<String>,
    /// The title of that task.
    pub task_title: Option<String>,
    /// When it was said.
    pub at: At,
    /// When it was said, as one speaks of it now.
    pub when: String,
    /// On which day that was, where it was said.
    pub day: String,
    /// When it was written down.
    pub created_at: At,
    /// When it last changed.
    pub updated_at: At,
}

/// A label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabelReply {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// In which colour it is shown.
    pub colour: Option<String>,
    /// The name of the category whose tasks may bear it; absent means any.
    pub category: Option<String>,
    /// How many open tasks bear it.
    pub open_tasks: usize,
}
