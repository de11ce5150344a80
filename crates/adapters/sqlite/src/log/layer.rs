//! The layer under SQLite that keeps logs short.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak,
};

use vfs::{Beneath, Code, Door, File, Folder, Layer, Wanted};

use super::chunk::{self, Beginning, MAGIC};
use super::short::Short;
use crate::file::with_suffix;

/// What a short log's name ends in, and what SQLite believes.
pub(crate) const SUFFIX: &str = "-log";
pub(crate) const WHOLE_SUFFIX: &str = "-wal";

/// The name of the VFS that keeps logs short over another one, or over the operating system's. It is made when
/// it is first asked for.
pub(crate) fn under(beneath: Option<&str>) -> Result<String, String> {
    static MADE: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let name = match beneath {
        Some(beneath) => format!("short-log-over-{beneath}"),
        None => "short-log".to_owned(),
    };
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
    holds_something(&beside(path, WHOLE_SUFFIX))
}

/// Whether a process that died left a log of a file behind: SQLite removes it when the last connection closes.
pub(crate) fn left_behind(path: &Path) -> Option<PathBuf> {
    let logs = [SUFFIX, WHOLE_SUFFIX].map(|suffix| beside(path, suffix));
    logs.into_iter().find(|log| holds_something(log))
}

/// The log of a file with its form, if this version does not know that.
pub(crate) fn unknown_form(path: &Path) -> Option<(PathBuf, u8)> {
    let (log, mut start) = (beside(path, SUFFIX), [0; MAGIC.len()]);
    fs::File::open(&log).ok()?.read_exact(&mut start).ok()?;
    let form = start[MAGIC.len() - 1];
    (chunk::beginning(&start) == Beginning::Unknown).then_some((log, form))
}

/// A log that holds something. A folder is what keeps others out.
pub(crate) fn holds_something(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|log| log.is_file() && log.len() > 0)
}

/// Where SQLite keeps the log of a file: beside the file itself, also if that is only linked to.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    with_suffix(&path, suffix)
}

/// The layer: the logs that are open, by where they lie.
#[derive(Default)]
struct ShortLogs {
    open: Mutex<HashMap<PathBuf, Weak<Shared>>>,
}

/// A log that all connections to a file share.
struct Shared {
    log: RwLock<Short>,
    /// Where other programs would look for it.
    elsewhere: PathBuf,
    /// They are kept out.
    kept_out: AtomicBool,
}

impl Shared {
    /// Puts a folder where others would write a log of their own: whoever does not know of this one would write
    /// over what it holds, and is refused instead. A file system that takes none leaves things as they are.
    fn keep_others_out(&self) {
        if !self.kept_out.swap(true, Ordering::Relaxed) {
            let _ = fs::create_dir(&self.elsewhere);
        }
    }
}

impl Layer for ShortLogs {
    fn open(&self, wanted: &Wanted<'_>, door: Door<'_>) -> Result<Box<dyn File>, Code> {
        let (true, Some(path)) = (wanted.is_log(), wanted.path) else {
            door.open()?;
            return Ok(Box::new(Through));
        };
        let (elsewhere, path) = (path.to_owned(), short(path).ok_or(Code::OPEN)?);
        let mut open = lock(&self.open);
        let beneath = door.open_at(&path)?;
        let known = open.get(&path).and_then(Weak::upgrade);
        let log = match known {
            Some(log) => log,
            None => {
                let file = beneath.contents()?;
                let log = Short::from_file(&file).ok_or(Code::CORRUPT)?;
                // After a sync that failed the machine may take for written what the disc has not. Whoever may
                // only read leaves it as it is.
                if log.length_on_disc() > 0 {
                    let _ = beneath.write(&file[..log.length_on_disc()], 0);
                }
                Arc::new(Shared { log: RwLock::new(log), elsewhere, kept_out: false.into() })
            }
        };
        open.insert(path, Arc::downgrade(&log));
        Ok(Box::new(LogFile(log)))
    }

    fn delete(&self, path: &Path, and_folder: bool, beneath: &Folder) -> Result<(), Code> {
        let Some(log) = short(path) else { return beneath.delete(path, and_folder) };
        lock(&self.open).remove(&log);
        beneath.delete(&log, and_folder)?;
        // The file is whole by itself now, and anybody may look.
        let _ = fs::remove_dir(path);
        Ok(())
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
        self.0.log.read().expect(UNBROKEN)
    }

    fn change(&self) -> RwLockWriteGuard<'_, Short> {
        self.0.log.write().expect(UNBROKEN)
    }
}

impl File for LogFile {
    fn read(&self, _beneath: &Beneath<'_>, into: &mut [u8], at: u64) -> Result<(), Code> {
        let at = usize::try_from(at).map_err(|_| Code::READ)?;
        if self.look().whole().read(into, at) { Ok(()) } else { Err(Code::SHORT_READ) }
    }

    fn write(&self, beneath: &Beneath<'_>, bytes: &[u8], at: u64) -> Result<(), Code> {
        let at = usize::try_from(at).map_err(|_| Code::WRITE)?;
        self.0.keep_others_out();
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
