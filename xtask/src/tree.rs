//! The files of the workspace as values: path to text.
//!
//! Read once, so that each check is a function from a tree to findings and its test needs no disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::failure::Failure;

/// Folders that hold nothing of ours.
const SKIPPED: [&str; 3] = [".git", "target", "node_modules"];

/// Kinds of file that a check reads; of the others only the path is kept.
const READ: [&str; 5] = ["rs", "md", "toml", "sql", "txt"];

/// All files of the workspace, by path from its root, with `/` between folders.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    files: BTreeMap<String, Option<String>>,
}

impl Tree {
    /// Reads the tree from disk. Links are not followed.
    pub(crate) fn read(root: &Path) -> Result<Self, Failure> {
        let mut tree = Self::default();
        tree.read_folder(root, "")?;
        Ok(tree)
    }

    /// The text of a file, if it exists and is of a kind that is read.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// Whether a file or a folder has this path; the root is the empty one.
    pub(crate) fn has(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        path.is_empty() || self.files.keys().any(|file| file == path || file.starts_with(&folder))
    }

    /// Every path, also of the files that are not read.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Path and text of the files whose path starts and ends as given.
    pub(crate) fn texts<'a>(
        &'a self,
        start: &'a str,
        end: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files
            .iter()
            .filter(move |(path, _)| path.starts_with(start) && path.ends_with(end))
            .filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) -> Result<(), Failure> {
        let failed = |e| Failure::step(format!("failed to read {}", folder.display()), e);
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            let kind = entry.file_type().map_err(failed)?;
            if kind.is_dir() && !SKIPPED.contains(&name.as_str()) {
                self.read_folder(&entry.path(), &format!("{path}/"))?;
            } else if kind.is_file() {
                let text = read_text(&entry.path(), &name)?;
                self.files.insert(path, text);
            }
        }
        Ok(())
    }
}

fn read_text(path: &Path, name: &str) -> Result<Option<String>, Failure> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if !READ.contains(&extension) && name != "LOCK" {
        return Ok(None);
    }
    let text = fs::read_to_string(path)
        .map_err(|e| Failure::step(format!("failed to read {}", path.display()), e))?;
    Ok(Some(text))
}

#[cfg(test)]
impl Tree {
    /// A tree made of the given files.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned())))
            .collect();
        Self { files }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_there_when_a_file_is_in_it() {
        let tree = Tree::of(&[("docs/errors/a.md", "")]);
        assert!(tree.has("") && tree.has("docs/errors") && tree.has("docs/errors/a.md"));
        assert!(!tree.has("docs/err") && !tree.has("docs/errors/b.md"));
    }

    #[test]
    fn the_workspace_is_read_from_disk() {
        let tree = Tree::read(&crate::workspace_root()).unwrap();
        assert!(tree.text("xtask/src/tree.rs").is_some_and(|text| text.contains("SKIPPED")));
        assert!(tree.paths().all(|path| !path.starts_with("target/")));
    }
}
