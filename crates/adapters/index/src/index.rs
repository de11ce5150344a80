//! The index behind its port.

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use index::{Document, Found, Index, IndexError, Query, Terms};
use types::{HostId, Position, RecordId};

use crate::config::Config;
use crate::fault::Fault;
use crate::file::{self, IndexFile};
use crate::{put, search};

/// The file's name in a home.
pub const FILE_NAME: &str = "index.sqlite";

/// An index in one SQLite file. The home's lock keeps other processes away from it: whoever opens it
/// holds that lock.
pub struct SqliteIndex {
    path: PathBuf,
    host: HostId,
    config: Config,
    slot: RwLock<Slot>,
}

/// Where the open file stands. Whoever uses the file holds the lock for reading; to replace it one
/// holds it for writing, and then nobody uses it.
#[derive(Default)]
struct Slot {
    /// Absent after damage, until the next call.
    file: Option<IndexFile>,
    openings: u64,
}

impl SqliteIndex {
    /// Opens the index of a home's folder, or makes an empty one. `host` is the name under which the
    /// home's store writes: an index of another's words, as after a restore, is not used.
    ///
    /// # Errors
    /// If the file cannot be made, read or written. What is in it is never a reason.
    pub fn open(folder: &Path, host: &HostId, config: &Config) -> Result<SqliteIndex, IndexError> {
        let index = SqliteIndex::at(folder, host, config);
        index.reopen()?;
        Ok(index)
    }

    /// The same, opened by the first call that needs it: most commands search nothing.
    #[must_use]
    pub fn at(folder: &Path, host: &HostId, config: &Config) -> SqliteIndex {
        SqliteIndex {
            path: folder.join(FILE_NAME),
            host: host.clone(),
            config: config.clone(),
            slot: RwLock::default(),
        }
    }

    /// Does something with the file. One that turns out to be damaged is given up, so that the next
    /// call finds an empty one.
    fn with<T>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&IndexFile) -> Result<T, Fault>,
    ) -> Result<T, IndexError> {
        let (opening, answer) = loop {
            let slot = self.read();
            if let Some(file) = &slot.file {
                break (file.opening, work(file));
            }
            drop(slot);
            self.reopen()?;
        };
        answer.map_err(|fault| {
            if fault.is_damage() {
                self.give_up(opening);
            }
            fault.at(&self.path, doing)
        })
    }

    fn reopen(&self) -> Result<(), IndexError> {
        let mut slot = self.write();
        if slot.file.is_none() {
            self.open_into(&mut slot)?;
        }
        Ok(())
    }

    fn open_into(&self, slot: &mut Slot) -> Result<(), IndexError> {
        slot.openings += 1;
        let opened = IndexFile::open(&self.path, &self.host, slot.openings, &self.config);
        slot.file = Some(opened.map_err(|fault| fault.at(&self.path, "opening"))?);
        Ok(())
    }

    fn give_up(&self, opening: u64) {
        let mut slot = self.write();
        if slot.file.as_ref().is_some_and(|file| file.opening == opening) {
            slot.file = None;
            // If it cannot be removed it is found damaged again, and that is told again.
            let _ = file::remove(&self.path);
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Slot> {
        self.slot.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Slot> {
        self.slot.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Index for SqliteIndex {
    fn position(&self) -> Result<Position, IndexError> {
        self.with("reading", |file| file.readers.read(put::position))
    }

    fn put(
        &self,
        upserts: Vec<Document>,
        removals: Vec<RecordId>,
        from: Position,
        up_to: Position,
    ) -> Result<bool, IndexError> {
        self.with("writing", |file| put::put(&mut file.writer(), &upserts, &removals, from, up_to))
    }

    fn clear(&self) -> Result<(), IndexError> {
        let mut slot = self.write();
        slot.file = None;
        // Dying here leaves no file, which is as good as an empty one.
        file::remove(&self.path).map_err(|error| Fault::Io(error).at(&self.path, "removing"))?;
        self.open_into(&mut slot)
    }

    fn search(&self, query: &Query) -> Result<Found, IndexError> {
        let terms = Terms::read(&query.text)?;
        self.with("reading", |file| file.readers.read(|at| search::search(at, query, &terms)))
    }
}
