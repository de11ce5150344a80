//! Entries: what people write, say and photograph.

use serde::{Deserialize, Serialize};

use crate::{At, CategoryId, Day, Invalid, TaskId, limits};

/// What an entry is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// Words.
    Text,
    /// A recording, with what was said as its text.
    Audio,
    /// A picture, with what it shows as its text.
    Image,
}

impl EntryKind {
    /// Every kind.
    pub const ALL: [EntryKind; 3] = [EntryKind::Text, EntryKind::Audio, EntryKind::Image];

    /// The kind as users see it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            EntryKind::Text => "text",
            EntryKind::Audio => "audio",
            EntryKind::Image => "image",
        }
    }
}

/// A file that an entry refers to. The journal keeps the reference, not the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Media {
    /// Where it lies: a path or an address.
    pub uri: String,
    /// What it is, such as `audio/ogg`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What it is made of.
    pub kind: EntryKind,
    /// The words, or the transcript of what is no words.
    pub text: String,
    /// The recording or picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media: Option<Media>,
    /// Where it belongs; also who may see it.
    pub category_id: CategoryId,
    /// The task it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    /// When it was said.
    pub at: At,
    /// On which day that was, where it was said.
    pub day: Day,
}

impl Entry {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        match (&self.media, self.kind) {
            (None, EntryKind::Text) => {
                Invalid::unless_text("text", &self.text, limits::ENTRY_BYTES_MAX)
            }
            (Some(media), EntryKind::Audio | EntryKind::Image) => {
                Invalid::unless_within("text", self.text.len(), limits::ENTRY_BYTES_MAX, "bytes")?;
                Invalid::unless_line("media", &media.uri, limits::URI_BYTES_MAX)?;
                let media_type = media.media_type.as_deref().unwrap_or("unknown");
                Invalid::unless_line("media type", media_type, limits::NAME_BYTES_MAX)
            }
            (Some(_), EntryKind::Text) => Err(Invalid::new("media", "is not part of a text")),
            (None, kind) => {
                let what = kind.as_str();
                Err(Invalid::new("media", format!("is missing: an {what} entry refers to a file")))
            }
        }
    }
}
