//! The model: the names and files a disc holds, and what a cut would leave of them.
//!
//! Pure: it touches no file, takes no lock and knows nothing of SQLite. [`super::control`] holds the
//! one mutex around it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::control::Plant;
use super::image::Image;
use crate::Random;

/// One file, whatever its name points to later: what an inode is to a real disc.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct FileId(u64);

/// A counted operation: only these change what a cut leaves.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation<'a> {
    Write {
        file: FileId,
        offset: usize,
        bytes: &'a [u8],
    },
    Truncate {
        file: FileId,
        size: usize,
    },
    Sync {
        file: FileId,
        /// Whether the default VFS would sync the directory in the same call.
        directory: bool,
    },
    Delete {
        path: &'a Path,
        /// SQLite's `syncDir`.
        directory: bool,
    },
}

/// Why an operation was not performed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Refusal {
    /// The power is gone.
    Cut,
    /// The disc is full.
    Full,
    /// The disc could not keep what it was given, and is well again.
    Lost,
}

/// All that the disc knows. It changes only by an admitted operation, and never after the cut.
#[derive(Debug, Default)]
pub(super) struct World {
    names: BTreeMap<PathBuf, History>,
    files: BTreeMap<FileId, File>,
    files_made: u64,
    operations: u64,
    syncs: u64,
    cut_at: Option<u64>,
    cut: bool,
    /// How many more bytes may be written; without a number there is no limit.
    space: Option<u64>,
    plant: Option<Plant>,
    /// The next sync fails.
    sync_fails: bool,
}

/// What a name has pointed to, oldest first: the first state is on the disc, the last is the
/// present one, and a cut may leave any of them.
type History = Vec<Option<FileId>>;

#[derive(Debug)]
struct File {
    /// Absent for a temporary file: it ends with its handle, so no cut leaves it.
    path: Option<PathBuf>,
    image: Image,
}

impl World {
    pub(super) fn operations(&self) -> u64 {
        self.operations
    }

    pub(super) fn syncs(&self) -> u64 {
        self.syncs
    }

    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    pub(super) fn cut(&mut self) {
        self.cut = true;
    }

    pub(super) fn cut_at(&mut self, operation: u64) {
        self.cut_at = Some(operation);
    }

    pub(super) fn set_space(&mut self, bytes: Option<u64>) {
        self.space = bytes;
    }

    pub(super) fn fail_next_sync(&mut self) {
        self.sync_fails = true;
    }

    pub(super) fn will_fail(&self) -> bool {
        self.sync_fails
    }

    pub(super) fn plant(&mut self, fault: Plant) {
        self.plant = Some(fault);
    }

    /// Decides whether `operation` may be performed, and counts it if so.
    pub(super) fn admit(&mut self, operation: Operation<'_>) -> Result<(), Refusal> {
        if self.cut_at.is_some_and(|last| self.operations >= last) {
            self.cut = true;
        }
        if self.cut {
            return Err(Refusal::Cut);
        }
        if let (Operation::Write { bytes, .. }, Some(space)) = (operation, self.space) {
            let left = space.checked_sub(bytes.len() as u64);
            // Once full, full for the small writes too: a disc that takes every second write is
            // another fault than the one asked for.
            self.space = Some(left.unwrap_or(0));
            if left.is_none() {
                return Err(Refusal::Full);
            }
        }
        if let Operation::Sync { file, .. } = operation
            && std::mem::take(&mut self.sync_fails)
        {
            if let Some(file) = self.files.get_mut(&file) {
                file.image.lose_writes();
            }
            return Err(Refusal::Lost);
        }
        self.operations += 1;
        self.syncs += u64::from(matches!(operation, Operation::Sync { .. }));
        Ok(())
    }

    /// Takes down an operation that was admitted and performed.
    pub(super) fn record(&mut self, operation: Operation<'_>) {
        match operation {
            Operation::Write { file, offset, bytes } => {
                if let Some(file) = self.files.get_mut(&file) {
                    file.image.write(offset, bytes);
                }
            }
            Operation::Truncate { file, size } => {
                if let Some(file) = self.files.get_mut(&file) {
                    file.image.truncate(size);
                }
            }
            Operation::Sync { file, directory } => self.sync(file, directory),
            Operation::Delete { path, directory } => self.delete(path, directory),
        }
    }

    /// The file that `path` names at present.
    pub(super) fn current(&self, path: &Path) -> Option<FileId> {
        self.names.get(path).and_then(|history| *history.last()?)
    }

    /// A new, empty file under `path`, its name not yet on the disc.
    pub(super) fn create(&mut self, path: &Path) -> FileId {
        let made = self.make(Some(path), Image::default());
        self.names.entry(path.to_path_buf()).or_insert_with(|| vec![None]).push(Some(made));
        made
    }

    /// A file that was there before this world looked: all of it is on the disc.
    pub(super) fn adopt(&mut self, path: &Path, bytes: Vec<u8>) -> FileId {
        let made = self.make(Some(path), Image::durable(bytes));
        self.names.insert(path.to_path_buf(), vec![Some(made)]);
        made
    }

    /// A file that no cut leaves.
    pub(super) fn create_temporary(&mut self) -> FileId {
        self.make(None, Image::default())
    }

    /// A handle was closed.
    pub(super) fn close(&mut self, file: FileId) {
        if self.files.get(&file).is_some_and(|file| file.path.is_none()) {
            self.files.remove(&file);
        }
    }

    /// The files that a cut leaves. The same world and the same seed give the same files.
    pub(super) fn survive(&self, random: &mut Random) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut left = BTreeMap::new();
        for (path, history) in &self.names {
            let state = random.below(history.len() as u64);
            let state = usize::try_from(state).expect("an index below a length fits");
            if let Some(file) = history[state].and_then(|file| self.files.get(&file)) {
                left.insert(path.clone(), file.image.survive(random));
            }
        }
        left
    }

    fn make(&mut self, path: Option<&Path>, image: Image) -> FileId {
        let made = FileId(self.files_made);
        self.files_made += 1;
        self.files.insert(made, File { path: path.map(Path::to_path_buf), image });
        made
    }

    fn sync(&mut self, id: FileId, directory: bool) {
        let Some(file) = self.files.get_mut(&id) else { return };
        if self.plant.is_some_and(|plant| plant.skips(file.path.as_deref())) {
            return;
        }
        file.image.sync();
        let Some(path) = file.path.clone() else { return };
        self.settle(&path, |history| history.iter().position(|&state| state == Some(id)));
        if directory {
            self.settle_directory_of(&path);
        }
    }

    fn delete(&mut self, path: &Path, directory: bool) {
        // A name this world has not seen has no bytes here to come back with.
        if let Some(history) = self.names.get_mut(path) {
            history.push(None);
        }
        if directory {
            self.settle_directory_of(path);
        }
    }

    fn settle_directory_of(&mut self, path: &Path) {
        let siblings: Vec<PathBuf> =
            self.names.keys().filter(|name| name.parent() == path.parent()).cloned().collect();
        for name in siblings {
            self.settle(&name, |history| history.len().checked_sub(1));
        }
    }

    /// Puts one state of a name on the disc: what the name was before cannot come back.
    fn settle(&mut self, path: &Path, state: impl FnOnce(&History) -> Option<usize>) {
        let Some(history) = self.names.get_mut(path) else { return };
        let Some(state) = state(history) else { return };
        for gone in history.drain(..state).flatten() {
            // A handle may still write to it, but nobody will read that after a cut.
            self.files.remove(&gone);
        }
    }
}

#[cfg(test)]
#[path = "world_tests.rs"]
mod tests;
