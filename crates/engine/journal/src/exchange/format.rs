//! The formats in which a journal goes out and comes in.

use types::{Code, Problem};

use crate::Error;

use super::archive::Archive;
use super::intake::{Here, Reading};
use super::{json, markdown, taskwarrior, todotxt};

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Dormouse's own: everything, for programs.
    Json,
    /// Everything, for people.
    Markdown,
    /// What `task export` writes.
    Taskwarrior,
    /// A task a line.
    TodoTxt,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 4] =
        [Format::Json, Format::Markdown, Format::Taskwarrior, Format::TodoTxt];

    /// The format as users name it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Markdown => "markdown",
            Format::Taskwarrior => "taskwarrior",
            Format::TodoTxt => "todotxt",
        }
    }

    /// The format of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<Format, Error> {
        let found = Format::ALL.into_iter().find(|format| format.as_str() == name);
        found.ok_or_else(|| {
            let names = Format::ALL.map(Format::as_str).join(", ");
            Error::refuse(
                Code::WrongUsage,
                format!("there is no format {name:?}"),
                format!("the formats are: {names}"),
            )
        })
    }

    /// The format of a name, for whoever wants to have everything in it.
    ///
    /// # Errors
    /// If nothing is exported so.
    pub fn to_export(name: &str) -> Result<Format, Error> {
        let found = [Format::Json, Format::Markdown].into_iter().find(|it| it.as_str() == name);
        found.ok_or_else(|| not_exported(name))
    }

    /// The archive in this format.
    pub(super) fn write(self, archive: &Archive) -> Result<String, Error> {
        match self {
            Format::Json => Ok(json::write(archive)),
            Format::Markdown => Ok(markdown::write(archive)),
            Format::Taskwarrior | Format::TodoTxt => Err(not_exported(self.as_str())),
        }
    }

    /// What a file of this format says.
    pub(super) fn read(self, text: &str, here: &Here) -> Result<Reading, Error> {
        // Some editors begin a file with a mark of its encoding.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match self {
            Format::Json => json::read(text, here),
            Format::Markdown => markdown::read(text, here),
            Format::Taskwarrior => taskwarrior::read(text, here),
            Format::TodoTxt => todotxt::read(text, here),
        }
    }
}

fn not_exported(name: &str) -> Error {
    let hint = "export as json or markdown, which hold everything";
    Problem::new(Code::WrongUsage, format!("nothing is exported as {name:?}"), hint).into()
}
