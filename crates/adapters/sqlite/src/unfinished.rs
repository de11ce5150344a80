//! A folder that is being made: beside its place until it is whole.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::iter;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use store::StoreError;

use crate::create;
use crate::file::with_suffix;
use crate::home::{Home, inaccessible, sync_folder};

/// What such a folder is called after its place.
const SUFFIX: &str = ".unfinished";

/// The file in it that says whose it is. It is locked as long as somebody works there, and the operating system lets
/// go of it when that one dies.
const MARK: &str = "unfinished-by-dormouse";

/// Folders of that name that may be there at once.
const MOST: u32 = 100;

/// A folder beside a place that becomes what is to be there when it is whole, and vanishes otherwise.
#[derive(Debug)]
pub(crate) struct Unfinished {
    /// The folder.
    pub(crate) home: Home,
    /// What somebody named: errors are about that.
    named: PathBuf,
    _mark: Option<File>,
}

impl Unfinished {
    /// Makes one that nobody else has. What died here before is removed if that can be told; what somebody else put
    /// here, or is at work on, stays.
    pub(crate) fn beside(place: &Path, named: &Path) -> Result<Unfinished, StoreError> {
        let parent = place.parent().unwrap_or(place);
        create::folder_on_disc(parent).map_err(|error| match error {
            StoreError::Inaccessible { cause, .. } => {
                StoreError::Inaccessible { path: named.to_owned(), cause }
            }
            other => other,
        })?;
        folders(place).for_each(|folder| remove_abandoned(&folder));
        for folder in folders(place) {
            match create::new_folder(&folder) {
                Ok(()) => {
                    let _mark = mark(&folder);
                    return Ok(Unfinished {
                        home: Home::at(&folder),
                        named: named.to_owned(),
                        _mark,
                    });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(inaccessible(named, &error)),
            }
        }
        let cause = format!("{MOST} unfinished folders of that name lie there already");
        Err(StoreError::Inaccessible { path: named.to_owned(), cause })
    }

    /// Makes it what is to be at its place, unless something has come there meanwhile.
    pub(crate) fn becomes(self, place: &Path) -> Result<(), StoreError> {
        let folder = self.home.folder();
        let _ = fs::remove_file(folder.join(MARK));
        sync_folder(folder).map_err(|error| self.name(error))?;
        fs::rename(folder, place).map_err(|error| match place.exists() {
            true => StoreError::Exists { path: place.to_owned() },
            false => inaccessible(place, &error),
        })?;
        sync_folder(place.parent().unwrap_or(place))
    }

    /// The same error about what somebody named, if it is about something in here.
    pub(crate) fn name(&self, error: StoreError) -> StoreError {
        let name = |path: PathBuf| match path.strip_prefix(self.home.folder()) {
            Ok(rest) => self.named.join(rest).components().collect(),
            Err(_) => path,
        };
        match error {
            StoreError::DiskFull { file } => StoreError::DiskFull { file: name(file) },
            StoreError::Io { file, doing, cause } => {
                StoreError::Io { file: name(file), doing, cause }
            }
            StoreError::Inaccessible { path, cause } => {
                StoreError::Inaccessible { path: name(path), cause }
            }
            StoreError::Locked { home, by } => StoreError::Locked { home: name(home), by },
            other => other,
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Gone already if it became what it was to be. The mark is let go of later.
        let _ = fs::remove_dir_all(self.home.folder());
    }
}

/// Where it may lie, in the order in which that is tried.
fn folders(place: &Path) -> impl Iterator<Item = PathBuf> {
    let numbered = (2..=MOST).map(|number| format!("{SUFFIX}-{number}"));
    iter::once(SUFFIX.to_owned()).chain(numbered).map(|suffix| with_suffix(place, &suffix))
}

/// Marks a folder as ours. Where nothing can be locked it stays without: nobody could tell whether it is still wanted.
fn mark(folder: &Path) -> Option<File> {
    let made = folder.join("mark");
    let file = create::private(&made).ok()?;
    // It has its name when it is locked: nobody finds it free who is not to.
    let marked = file.try_lock().is_ok() && fs::rename(&made, folder.join(MARK)).is_ok();
    if !marked {
        let _ = fs::remove_file(&made);
    }
    marked.then_some(file)
}

/// Removes a folder that was marked by one who died. It stays if that cannot be told or done.
fn remove_abandoned(folder: &Path) {
    let path = folder.join(MARK);
    let Ok(mark) = OpenOptions::new().read(true).write(true).open(&path) else { return };
    let is_free = mark.try_lock().is_ok();
    // Before it was locked, another may have removed it and a third one made a new one.
    let node = |file: fs::Metadata| (file.dev(), file.ino());
    let (locked, there) = (mark.metadata().map(node), fs::metadata(&path).map(node));
    let is_that = locked.is_ok() && locked.ok() == there.ok();
    if is_free && is_that {
        let _ = fs::remove_dir_all(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<_> = entries.map(|e| name(e).into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_somebody_else_put_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("monday");
        fs::create_dir(with_suffix(&place, SUFFIX)).unwrap();
        fs::write(with_suffix(&place, SUFFIX).join("novel"), "Chapter one").unwrap();
        fs::write(with_suffix(&place, ".unfinished-2"), "a file").unwrap();
        let unfinished = Unfinished::beside(&place, &place).unwrap();
        assert!(unfinished.home.folder().ends_with("monday.unfinished-3"));
        unfinished.becomes(&place).unwrap();
        assert_eq!(names(folder.path()), ["monday", "monday.unfinished", "monday.unfinished-2"]);
        assert_eq!(names(&with_suffix(&place, SUFFIX)), ["novel"]);
        assert_eq!(names(&place), [""; 0], "the mark is gone");
    }

    #[test]
    fn two_at_once_do_not_touch_each_other_and_the_first_one_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("monday");
        let [one, two] = ["one", "two"].map(|name| {
            let unfinished = Unfinished::beside(&place, &place).unwrap();
            fs::write(unfinished.home.folder().join(name), "").unwrap();
            unfinished
        });
        two.becomes(&place).unwrap();
        assert_eq!(one.becomes(&place), Err(StoreError::Exists { path: place.clone() }));
        assert_eq!(
            (names(&place), names(folder.path())),
            (vec!["two".into()], vec!["monday".into()])
        );
    }

    #[test]
    fn what_one_left_who_died_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("monday");
        let dead = with_suffix(&place, SUFFIX);
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join("journal.db"), "half of it").unwrap();
        drop(mark(&dead));
        let unfinished = Unfinished::beside(&place, &place).unwrap();
        assert_eq!(unfinished.home.folder(), dead);
        assert_eq!(names(&dead), [MARK]);
        drop(unfinished);
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn errors_are_about_what_somebody_named() {
        let folder = tempfile::tempdir().unwrap();
        let (place, named) = (folder.path().join("home/restore"), folder.path().join("home"));
        let unfinished = Unfinished::beside(&place, &named).unwrap();
        let here = unfinished.home.folder().to_owned();
        let full = |file: PathBuf| StoreError::DiskFull { file };
        assert_eq!(unfinished.name(full(here.join("a.db"))), full(named.join("a.db")));
        assert_eq!(unfinished.name(full(here)), full(named));
        assert_eq!(unfinished.name(full("/elsewhere".into())), full("/elsewhere".into()));
    }
}
