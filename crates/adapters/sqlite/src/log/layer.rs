//! The layer under SQLite that keeps logs short.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak,
};

use vfs::{Beneath, Code, Door, File, Folder, Layer, Wanted};

use super::short::Short;
use crate::file::with_suffix;

/// What a short log's name ends in, and what SQLite believes.
pub(crate) const SUFFIX: &str = "-log";
pub(crate) const WHOLE_SUFFIX: &str = "-wal";

/// The name of the VFS that keeps logs short over another one, or over the operating system's. It is made when
/// it is first asked for.
pub(crate) fn under(beneath: Option<&str>) -> Result<String, String> {
    static MADE: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let name = format!("short-log-over-{}", beneath.unwrap_or("default"));
    let mut made = lock(&MADE);
    if !made.contains(&name) {
        vfs::register(&name, beneath, ShortLogs::default())?;
        made.insert(name.clone());
    }
    Ok(name)
}

/// Whether a file has a log as SQLite writes it: left behind by a version before this, or by one that was
/// writing the file as a whole.
pub(crate) fn is_whole(path: &Path) -> bool {
    is_not_empty(&with_suffix(path, WHOLE_SUFFIX))
}

/// Whether a process that died left a log of a file behind: SQLite removes it when the last connection closes.
pub(crate) fn left_behind(path: &Path) -> Option<PathBuf> {
    let logs = [SUFFIX, WHOLE_SUFFIX].map(|suffix| with_suffix(path, suffix));
    logs.into_iter().find(|log| is_not_empty(log))
}

fn is_not_empty(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.len() > 0)
}

/// The layer: the logs that are open, by where they lie.
#[derive(Default)]
struct ShortLogs {
    open: Mutex<HashMap<PathBuf, Weak<Shared>>>,
}

/// A log that all connections to a file share.
type Shared = RwLock<Short>;

impl Layer for ShortLogs {
    fn open(&self, wanted: &Wanted<'_>, door: Door<'_>) -> Result<Box<dyn File>, Code> {
        let (true, Some(path)) = (wanted.is_log(), wanted.path) else {
            door.open()?;
            return Ok(Box::new(Through));
        };
        let path = short(path).ok_or(Code::OPEN)?;
        let mut open = lock(&self.open);
        let beneath = door.open_at(&path)?;
        let known = open.get(&path).and_then(Weak::upgrade);
        let log = match known {
            Some(log) => log,
            None => {
                let log = Short::from_file(&beneath.contents()?).ok_or(Code::CORRUPT)?;
                Arc::new(RwLock::new(log))
            }
        };
        open.insert(path, Arc::downgrade(&log));
        Ok(Box::new(LogFile(log)))
    }

    fn delete(&self, path: &Path, and_folder: bool, beneath: &Folder) -> Result<(), Code> {
        let Some(path) = short(path) else { return beneath.delete(path, and_folder) };
        lock(&self.open).remove(&path);
        beneath.delete(&path, and_folder)
    }

    fn access(&self, path: &Path, beneath: &Folder) -> Result<bool, Code> {
        beneath.access(&short(path).unwrap_or_else(|| path.to_owned()))
    }
}

/// Where the short log of what SQLite takes for a log lies; none if it is none.
fn short(path: &Path) -> Option<PathBuf> {
    let stem = path.as_os_str().as_bytes().strip_suffix(WHOLE_SUFFIX.as_bytes())?;
    Some(with_suffix(Path::new(OsStr::from_bytes(stem)), SUFFIX))
}

/// A file that is no log.
struct Through;

impl File for Through {}

/// A log, as one connection has it open.
struct LogFile(Arc<Shared>);

impl LogFile {
    fn look(&self) -> RwLockReadGuard<'_, Short> {
        self.0.read().expect(UNBROKEN)
    }

    fn change(&self) -> RwLockWriteGuard<'_, Short> {
        self.0.write().expect(UNBROKEN)
    }
}

impl File for LogFile {
    fn read(&self, _beneath: &Beneath<'_>, into: &mut [u8], at: u64) -> Result<(), Code> {
        let at = usize::try_from(at).map_err(|_| Code::READ)?;
        if self.look().whole().read(into, at) { Ok(()) } else { Err(Code::SHORT_READ) }
    }

    fn write(&self, beneath: &Beneath<'_>, bytes: &[u8], at: u64) -> Result<(), Code> {
        let at = usize::try_from(at).map_err(|_| Code::WRITE)?;
        let mut log = self.change();
        // The death of this process loses no transaction that has come to its end.
        if log.write(bytes, at) { put_down(&mut log, beneath) } else { Ok(()) }
    }

    fn truncate(&self, beneath: &Beneath<'_>, size: u64) -> Result<(), Code> {
        let size = usize::try_from(size).map_err(|_| Code::TRUNCATE)?;
        let nothing_left = self.change().shorten(size);
        if nothing_left { beneath.truncate(0) } else { Ok(()) }
    }

    fn sync(&self, beneath: &Beneath<'_>) -> Result<(), Code> {
        put_down(&mut self.change(), beneath)?;
        // Whoever reads does not wait for the disc.
        beneath.sync()
    }

    fn size(&self, _beneath: &Beneath<'_>) -> Result<u64, Code> {
        Ok(self.look().whole().length() as u64)
    }
}

/// Writes what was noted.
fn put_down(log: &mut Short, beneath: &Beneath<'_>) -> Result<(), Code> {
    let Some(chunk) = log.chunk() else { return Ok(()) };
    let written = beneath.write(&chunk.bytes, chunk.at);
    match written {
        Ok(()) => log.written(&chunk),
        Err(_) => log.refused(),
    }
    written
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A panic while a log was being changed leaves one that proves nothing: SQLite is told of an error then.
const UNBROKEN: &str = "no call panicked while it changed the log";
