//! Reading the file.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

use toml::de::DeTable;

use crate::section::Section;
use crate::{Budget, Config, Error, Models, ToolOutput, working};

/// The name of the file in a home.
pub const FILE: &str = "config.toml";

/// Bytes of the file: settings, not data.
const BYTES_MAX: u64 = 256 * 1024;

impl Config {
    /// The configuration of a home. Without a file everything has its default.
    ///
    /// # Errors
    /// If the file cannot be read, or something in it is not understood.
    pub fn read(home: &Path) -> Result<Config, Error> {
        let file = home.join(FILE);
        match text(&file) {
            Ok(text) => Config::parse(&text, &file),
            // A link that leads nowhere is a file that somebody wanted to be read.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !file.is_symlink() => {
                Ok(Config::default())
            }
            Err(error) => Err(Error::Unreadable { file, why: error.to_string() }),
        }
    }

    /// The configuration that a text is; `file` is what errors call it.
    ///
    /// # Errors
    /// The first thing that is not understood.
    pub fn parse(text: &str, file: &Path) -> Result<Config, Error> {
        let table = DeTable::parse(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            // Its own words say what was expected, and nothing of what stands there.
            let what = error.message().lines().collect::<Vec<_>>().join("; ");
            let line = line(text, start);
            Error::Wrong { file: file.to_owned(), line, key: String::new(), what }
        })?;
        let wrong = |wrong: crate::section::Wrong| Error::Wrong {
            file: file.to_owned(),
            line: line(text, wrong.start),
            key: format!("{} ", wrong.key),
            what: wrong.what,
        };
        let root = Section::root(table.get_ref());
        config(&root).map_err(wrong)
    }
}

fn config(root: &Section<'_>) -> Result<Config, crate::section::Wrong> {
    root.only(&["models", "budget", "runtime"])?;
    let models = root.section("models")?.map(|section| Models::of(&section)).transpose()?;
    let budget = root.section("budget")?.map(|section| Budget::of(&section)).transpose()?;
    let mut config = Config::default();
    if let Some(section) = root.section("runtime")? {
        section.only(&working::SETTINGS)?;
        config.tool_output = ToolOutput::of(&section)?;
        let failures_max = working::failures_max(&section)?;
        config.failures_max = failures_max.unwrap_or(config.failures_max);
        let changes_kept_days = working::changes_kept_days(&section)?;
        config.changes_kept_days = changes_kept_days.unwrap_or(config.changes_kept_days);
    }
    let (models, budget) = (models.unwrap_or_default(), budget.unwrap_or_default());
    Ok(Config { models, budget, ..config })
}

/// A setting's file, which is never long: what is, or has no end, is refused, as is a pipe, which may say nothing
/// for ever.
///
/// # Errors
/// If it cannot be read, or is too long.
pub fn text(file: &Path) -> io::Result<String> {
    if fs::metadata(file)?.file_type().is_fifo() {
        return Err(io::Error::other("it is a pipe and not a file"));
    }
    let mut text = String::new();
    File::open(file)?.take(BYTES_MAX + 1).read_to_string(&mut text)?;
    if text.len() as u64 > BYTES_MAX {
        return Err(io::Error::other(format!("it is longer than {BYTES_MAX} bytes")));
    }
    Ok(text)
}

fn line(text: &str, start: usize) -> usize {
    1 + text.bytes().take(start).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
