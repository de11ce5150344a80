//! The layer under SQLite that keeps logs short.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak,
};

use vfs::{Beneath, Code, Door, File, Folder, Index, Layer, View, Wanted, Writes};

use super::chunk::{self, Beginning, EMPTY, MAGIC};
use super::short::Short;
use crate::file::with_suffix;

/// What a short log's name ends in, and what SQLite believes.
pub(crate) const SUFFIX: &str = "-log";
pub(crate) const WHOLE_SUFFIX: &str = "-wal";

/// The room on the disc that a log keeps while it holds nothing: some twenty turns write as much.
const ROOM: u64 = 1 << 20;

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
    let log = beside(path, SUFFIX);
    let start = start_of(&log)?;
    let form = start[MAGIC.len() - 1];
    (chunk::beginning(&start) == Beginning::Unknown).then_some((log, form))
}

/// The log of a file, if it cannot be read as far as it should.
pub(crate) fn damaged(path: &Path) -> Option<PathBuf> {
    let log = beside(path, SUFFIX);
    let held = fs::read(&log).ok()?;
    (chunk::beginning(&held) != Beginning::Unknown && Short::from_file(&held).is_none())
        .then_some(log)
}

/// A log that holds something. A folder is what keeps others out.
pub(crate) fn holds_something(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|log| log.is_file() && log.len() > 0)
        && start_of(path) != Some(EMPTY)
}

fn start_of(log: &Path) -> Option<[u8; MAGIC.len()]> {
    let mut start = [0; MAGIC.len()];
    fs::File::open(log).ok()?.read_exact(&mut start).ok()?;
    Some(start)
}

/// Where SQLite keeps the log of a file: beside the file itself, also if that is only linked to.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    with_suffix(&path, suffix)
}

/// The layer: the files whose connections are open, by where their logs lie.
#[derive(Default)]
struct ShortLogs {
    open: Mutex<HashMap<PathBuf, Weak<Shared>>>,
}

/// What all connections to a file share.
struct Shared {
    log: RwLock<Short>,
    /// How many have the log open. It is read when the first one opens it.
    holders: AtomicUsize,
    index: Arc<Index>,
    /// Where other programs would look for the log.
    elsewhere: PathBuf,
    /// They are kept out.
    kept_out: AtomicBool,
    /// A sync of the log has failed. The machine may take for written what the disc has not, and would say next
    /// time that all is well: nothing more is logged, and nothing folded, until the log is read again.
    in_doubt: AtomicBool,
}

impl Shared {
    /// Puts a folder where others would write a log of their own: whoever does not know of this one would write
    /// over what it holds, and is refused instead. A file system that takes none leaves things as they are.
    fn keep_others_out(&self) {
        if !self.kept_out.swap(true, Ordering::Relaxed) {
            let _ = fs::create_dir(&self.elsewhere);
        }
    }

    /// Lets others look again: the file is whole by itself.
    fn let_others_in(&self) {
        let _ = fs::remove_dir(&self.elsewhere);
        self.kept_out.store(false, Ordering::Relaxed);
    }

    fn must_be_certain(&self) -> Result<(), Code> {
        if self.in_doubt.load(Ordering::Relaxed) { Err(Code::SYNC) } else { Ok(()) }
    }

    fn look(&self) -> RwLockReadGuard<'_, Short> {
        self.log.read().expect(UNBROKEN)
    }

    fn change(&self) -> RwLockWriteGuard<'_, Short> {
        self.log.write().expect(UNBROKEN)
    }
}

impl Writes for Shared {
    fn count(&self) -> u64 {
        self.look().pages().written()
    }

    fn is_untouched(&self, page: u32, since: u64) -> bool {
        self.look().pages().is_untouched(page, since)
    }
}

impl ShortLogs {
    /// What all connections to the file with this log share.
    fn shared(&self, log: PathBuf, elsewhere: PathBuf) -> Arc<Shared> {
        let mut open = lock(&self.open);
        if let Some(shared) = open.get(&log).and_then(Weak::upgrade) {
            return shared;
        }
        open.retain(|_, shared| shared.strong_count() > 0);
        let shared = Arc::new(Shared {
            log: RwLock::default(),
            holders: 0.into(),
            index: Arc::default(),
            elsewhere,
            kept_out: false.into(),
            in_doubt: false.into(),
        });
        open.insert(log, Arc::downgrade(&shared));
        shared
    }

    fn open_database(&self, path: &Path) -> Database {
        let name = |suffix| with_suffix(path, suffix);
        let shared = self.shared(name(SUFFIX), name(WHOLE_SUFFIX));
        Database(Arc::new(View::new(Arc::clone(&shared.index), shared)))
    }

    /// Opens a log. The first one to do so reads it.
    fn open_log(&self, elsewhere: &Path, door: Door<'_>) -> Result<LogFile, Code> {
        let path = short(elsewhere).ok_or(Code::OPEN)?;
        let beneath = door.open_at(&path)?;
        let shared = self.shared(path, elsewhere.to_owned());
        let mut log = shared.change();
        if shared.holders.load(Ordering::Relaxed) == 0 {
            let file = beneath.contents()?;
            let found = Short::from_file(&file).ok_or(Code::CORRUPT)?;
            // After a sync that failed the machine may take for written what the disc has not. Whoever may
            // only read leaves it as it is.
            if found.length_on_disc() > 0 {
                let _ = beneath.write(&file[..found.length_on_disc()], 0);
            }
            *log = found.after(&log);
            shared.in_doubt.store(false, Ordering::Relaxed);
        }
        shared.holders.fetch_add(1, Ordering::Relaxed);
        drop(log);
        Ok(LogFile(shared))
    }
}

impl Layer for ShortLogs {
    fn open(&self, wanted: &Wanted<'_>, door: Door<'_>) -> Result<Box<dyn File>, Code> {
        match wanted.path {
            Some(path) if wanted.is_log() => Ok(Box::new(self.open_log(path, door)?)),
            Some(path) if wanted.is_database() => {
                door.open()?;
                Ok(Box::new(self.open_database(path)))
            }
            _ => {
                door.open()?;
                Ok(Box::new(Through))
            }
        }
    }

    fn delete(&self, path: &Path, and_folder: bool, beneath: &Folder) -> Result<(), Code> {
        let Some(log) = short(path) else { return beneath.delete(path, and_folder) };
        beneath.delete(&log, and_folder)?;
        self.shared(log, path.to_owned()).let_others_in();
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

/// A file that is neither a database nor a log.
struct Through;

impl File for Through {}

/// A database, as one connection has it open.
struct Database(Arc<View>);

impl File for Database {
    fn view(&self) -> Option<&Arc<View>> {
        Some(&self.0)
    }
}

/// A log, as one connection has it open.
struct LogFile(Arc<Shared>);

impl Drop for LogFile {
    fn drop(&mut self) {
        self.0.holders.fetch_sub(1, Ordering::Relaxed);
    }
}

impl File for LogFile {
    fn read(&self, _beneath: &Beneath<'_>, into: &mut [u8], at: u64) -> Result<(), Code> {
        let at = usize::try_from(at).map_err(|_| Code::READ)?;
        if self.0.look().whole().read(into, at) { Ok(()) } else { Err(Code::SHORT_READ) }
    }

    fn write(&self, beneath: &Beneath<'_>, bytes: &[u8], at: u64) -> Result<(), Code> {
        let at = usize::try_from(at).map_err(|_| Code::WRITE)?;
        self.0.must_be_certain()?;
        self.0.keep_others_out();
        let mut log = self.0.change();
        if !log.write(bytes, at) {
            return Ok(());
        }
        // The death of this process loses no transaction that has come to its end.
        put_down(&mut log, beneath).inspect_err(|_| log.refused())
    }

    fn truncate(&self, beneath: &Beneath<'_>, size: u64) -> Result<(), Code> {
        let size = usize::try_from(size).map_err(|_| Code::TRUNCATE)?;
        let nothing_left = self.0.change().shorten(size);
        if nothing_left { empty(beneath) } else { Ok(()) }
    }

    fn sync(&self, beneath: &Beneath<'_>) -> Result<(), Code> {
        self.0.must_be_certain()?;
        // What is noted may be another's, who is in the middle of a transaction: if it cannot be written, only whoever
        // folds is told. It stays noted, and is written with what follows.
        let reach = {
            let mut log = self.0.change();
            put_down(&mut log, beneath)?;
            log.reaches()
        };
        // Whoever reads does not wait for the disc.
        beneath.sync().inspect_err(|_| self.0.in_doubt.store(true, Ordering::Relaxed))?;
        self.0.change().synced(reach);
        Ok(())
    }

    fn size(&self, _beneath: &Beneath<'_>) -> Result<u64, Code> {
        Ok(self.0.look().whole().length() as u64)
    }
}

/// Says in the file that it holds nothing, and leaves its room to it: a commit that writes over what was there
/// need not wait until the disc has found room for it. What cannot be said so is said by its length.
fn empty(beneath: &Beneath<'_>) -> Result<(), Code> {
    let length = beneath.size()?;
    if length == 0 || beneath.write(&EMPTY, 0).is_err() {
        return beneath.truncate(0);
    }
    if length > ROOM { beneath.truncate(ROOM) } else { Ok(()) }
}

/// Writes what was noted.
fn put_down(log: &mut Short, beneath: &Beneath<'_>) -> Result<(), Code> {
    let Some(chunk) = log.chunk() else { return Ok(()) };
    beneath.write(&chunk.bytes, chunk.at)?;
    log.written(&chunk);
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A panic while a log was being changed leaves one that proves nothing: SQLite is told of an error then.
const UNBROKEN: &str = "no call panicked while it changed the log";
