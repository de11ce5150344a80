//! The layer under SQLite: tells the model what happens to files, and refuses what comes after the cut.

use std::ffi::{OsString, c_int};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use rusqlite::ffi::{
    SQLITE_FCNTL_BEGIN_ATOMIC_WRITE, SQLITE_FCNTL_CHUNK_SIZE, SQLITE_FCNTL_COMMIT_ATOMIC_WRITE,
    SQLITE_FCNTL_MMAP_SIZE, SQLITE_FCNTL_ROLLBACK_ATOMIC_WRITE, SQLITE_FCNTL_SIZE_HINT,
    SQLITE_IOCAP_ATOMIC, SQLITE_IOCAP_ATOMIC1K, SQLITE_IOCAP_ATOMIC2K, SQLITE_IOCAP_ATOMIC4K,
    SQLITE_IOCAP_ATOMIC8K, SQLITE_IOCAP_ATOMIC16K, SQLITE_IOCAP_ATOMIC32K, SQLITE_IOCAP_ATOMIC64K,
    SQLITE_IOCAP_ATOMIC512, SQLITE_IOCAP_BATCH_ATOMIC, SQLITE_IOCAP_SAFE_APPEND,
    SQLITE_IOCAP_SEQUENTIAL,
};
use vfs::{Beneath, Code, Door, File, Folder, Layer, Wanted};

use super::control::Shared;
use super::world::{FileId, Operation, Refusal, World};

/// The disc as SQLite sees it. Weak, because a VFS is never freed: the model must end with its handles.
pub(super) struct Disc(pub(super) Weak<Shared>);

impl Layer for Disc {
    fn open(&self, wanted: &Wanted<'_>, door: Door<'_>) -> Result<Box<dyn File>, Code> {
        let shared = self.0.upgrade().ok_or(Code::BROKEN)?;
        let path = wanted.path.filter(|_| !wanted.is_temporary());
        let mut world = shared.lock();
        if world.is_cut() {
            return Err(Code::BROKEN);
        }
        if let (Some(path), true) = (path, wanted.is_database()) {
            adopt_logs(&mut world, path).map_err(|_| Code::READ)?;
        }
        let existed = path.is_some_and(Path::exists);
        let file = identify(&mut world, path, existed, &door.open()?)?;
        drop(world);
        let sync_directory = AtomicBool::new(wanted.syncs_folder());
        Ok(Box::new(Handle { shared, file, sync_directory }))
    }

    fn delete(&self, path: &Path, and_folder: bool, beneath: &Folder) -> Result<(), Code> {
        let shared = self.0.upgrade().ok_or(Code::DELETE)?;
        let operation = Operation::Delete { path, directory: and_folder };
        // No real directory is synced: the model alone makes durable.
        shared.perform(operation, || beneath.delete(path, false)).unwrap_or(Err(Code::DELETE))
    }

    fn access(&self, path: &Path, beneath: &Folder) -> Result<bool, Code> {
        if self.0.upgrade().is_none_or(|shared| shared.lock().is_cut()) {
            return Err(Code::ACCESS);
        }
        beneath.access(path)
    }
}

/// Which file of the model was opened.
fn identify(
    world: &mut World,
    path: Option<&Path>,
    existed: bool,
    opened: &Beneath<'_>,
) -> Result<FileId, Code> {
    let Some(path) = path else { return Ok(world.create_temporary()) };
    match (existed, world.current(path)) {
        (true, Some(known)) => Ok(known),
        (true, None) => Ok(world.adopt(path, opened.contents()?)),
        (false, _) => Ok(world.create(path)),
    }
}

/// Takes the logs beside a database into the model before SQLite has looked at them: a cut between
/// the two must not lose what they hold.
///
/// They carry no POSIX locks, so opening them a second time drops none.
fn adopt_logs(world: &mut World, database: &Path) -> io::Result<()> {
    for suffix in super::LOGS {
        let mut log = OsString::from(database);
        log.push(suffix);
        let log = PathBuf::from(log);
        if world.current(&log).is_none() && log.is_file() {
            let bytes = fs::read(&log)?;
            world.adopt(&log, bytes);
        }
    }
    Ok(())
}

/// What an open file needs of this side.
struct Handle {
    shared: Arc<Shared>,
    file: FileId,
    /// Whether the next sync reaches the directory too, as the default VFS does it.
    sync_directory: AtomicBool,
}

impl Handle {
    /// Performs a counted operation; one that comes after the cut answers `broken`.
    fn perform(
        &self,
        broken: Code,
        operation: Operation<'_>,
        real: impl FnOnce() -> Result<(), Code>,
    ) -> Result<(), Code> {
        self.shared.perform(operation, real).unwrap_or_else(|refusal| match refusal {
            Refusal::Cut | Refusal::Lost => Err(broken),
            Refusal::Full => Err(Code::FULL),
        })
    }

    fn unless_cut(&self, broken: Code) -> Result<(), Code> {
        if self.shared.lock().is_cut() { Err(broken) } else { Ok(()) }
    }
}

impl File for Handle {
    fn read(&self, beneath: &Beneath<'_>, into: &mut [u8], at: u64) -> Result<(), Code> {
        self.unless_cut(Code::READ)?;
        beneath.read(into, at)
    }

    fn write(&self, beneath: &Beneath<'_>, bytes: &[u8], at: u64) -> Result<(), Code> {
        let offset = usize::try_from(at).map_err(|_| Code::WRITE)?;
        let operation = Operation::Write { file: self.file, offset, bytes };
        self.perform(Code::WRITE, operation, || beneath.write(bytes, at))
    }

    fn truncate(&self, beneath: &Beneath<'_>, size: u64) -> Result<(), Code> {
        let length = usize::try_from(size).map_err(|_| Code::TRUNCATE)?;
        let operation = Operation::Truncate { file: self.file, size: length };
        self.perform(Code::TRUNCATE, operation, || beneath.truncate(size))
    }

    fn sync(&self, _beneath: &Beneath<'_>) -> Result<(), Code> {
        // One connection at a time uses a handle, so nothing is ordered by this flag.
        let directory = self.sync_directory.swap(false, Ordering::Relaxed);
        let operation = Operation::Sync { file: self.file, directory };
        // The model alone makes durable; waiting for the real disc would only make tests slow.
        self.perform(Code::SYNC, operation, || Ok(()))
    }

    fn size(&self, beneath: &Beneath<'_>) -> Result<u64, Code> {
        self.unless_cut(Code::SIZE)?;
        beneath.size()
    }

    /// Not what would let the file grow, round its length or be written to without passing here.
    fn allows(&self, control: c_int) -> bool {
        !matches!(
            control,
            SQLITE_FCNTL_SIZE_HINT
                | SQLITE_FCNTL_CHUNK_SIZE
                | SQLITE_FCNTL_MMAP_SIZE
                | SQLITE_FCNTL_BEGIN_ATOMIC_WRITE
                | SQLITE_FCNTL_COMMIT_ATOMIC_WRITE
                | SQLITE_FCNTL_ROLLBACK_ATOMIC_WRITE
        )
    }

    /// Without the promises that the model breaks: it tears writes and lets a later one pass an earlier.
    /// SQLite would leave out syncs on the strength of them.
    fn promises(&self, beneath: c_int) -> c_int {
        const BROKEN: c_int = SQLITE_IOCAP_ATOMIC
            | SQLITE_IOCAP_ATOMIC512
            | SQLITE_IOCAP_ATOMIC1K
            | SQLITE_IOCAP_ATOMIC2K
            | SQLITE_IOCAP_ATOMIC4K
            | SQLITE_IOCAP_ATOMIC8K
            | SQLITE_IOCAP_ATOMIC16K
            | SQLITE_IOCAP_ATOMIC32K
            | SQLITE_IOCAP_ATOMIC64K
            | SQLITE_IOCAP_BATCH_ATOMIC
            | SQLITE_IOCAP_SAFE_APPEND
            | SQLITE_IOCAP_SEQUENTIAL;
        beneath & !BROKEN
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shared.lock().close(self.file);
    }
}
