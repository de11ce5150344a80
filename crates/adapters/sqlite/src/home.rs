//! A home: the folder that holds one person's files, used by one process at a time.

use std::convert::Infallible;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use store::StoreError;
use types::{Domain, HostId};

use crate::check::{self, CheckReport};
use crate::config::Config;
use crate::copy;
use crate::create;
use crate::inspect;
use crate::log;
use crate::store::SqliteStore;

/// The file whose lock is the home's.
const LOCK: &str = "lock";

/// While another process has the home, other ways in are looked for this often.
const ASK_AGAIN: Duration = Duration::from_millis(50);

/// A folder that is or may become a home.
#[derive(Debug, Clone)]
pub struct Home {
    folder: PathBuf,
}

/// Proof that this process and no other has the home open. Let go of when dropped, and by the
/// operating system when the process dies.
#[derive(Debug)]
pub struct HomeLock {
    _file: File,
}

/// A way into a home.
#[derive(Debug)]
pub enum Way<T> {
    /// It was taken for this process.
    Locked(HomeLock),
    /// There was another one.
    Instead(T),
}

impl HomeLock {
    /// Notes who holds it, for whoever finds it held. Failing to say so is no reason to stop.
    fn signed(mut file: File) -> HomeLock {
        let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
        HomeLock { _file: file }
    }
}

impl Home {
    /// Names a folder; nothing is touched yet.
    #[must_use]
    pub fn at(folder: &Path) -> Home {
        Home { folder: folder.to_owned() }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a domain.
    #[must_use]
    pub fn path(&self, domain: Domain) -> PathBuf {
        self.folder.join(match domain {
            Domain::Journal => "journal.db",
            Domain::Agent => "agent.db",
        })
    }

    /// Whether there is a home here at all, or anything that is left of one.
    #[must_use]
    pub fn exists(&self) -> bool {
        let something = |domain: Domain| {
            let path = self.path(domain);
            let file = match fs::metadata(&path) {
                Ok(file) => file.len() > 0,
                // One that cannot be reached may be there; whoever opens it is told why.
                Err(error) => error.kind() != ErrorKind::NotFound,
            };
            file || log::left_behind(&path).is_some()
        };
        Domain::ALL.into_iter().any(something)
    }

    /// Whether somebody has made the folder and put nothing into it; a lock is what a first look leaves there.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        let is_lock = |entry: Result<fs::DirEntry, _>| entry.is_ok_and(|e| e.file_name() == LOCK);
        fs::read_dir(&self.folder).is_ok_and(|mut entries| entries.all(is_lock))
    }

    /// Creates the folder if need be and takes the home for this process.
    ///
    /// # Errors
    /// If another process has it ([`StoreError::Locked`]), or the folder cannot be used.
    pub fn lock(&self) -> Result<HomeLock, StoreError> {
        let (path, mut file) = self.lock_file()?;
        match file.try_lock() {
            Ok(()) => Ok(HomeLock::signed(file)),
            Err(TryLockError::WouldBlock) => {
                Err(StoreError::Locked { home: self.folder.clone(), by: holder(&mut file) })
            }
            Err(TryLockError::Error(error)) => Err(inaccessible(&path, &error)),
        }
    }

    /// The same, waiting for another process to let go. `waiting` is called if it has to.
    ///
    /// # Errors
    /// As [`Home::lock`], once the patience is over.
    pub fn lock_within(
        &self,
        patience: Duration,
        waiting: impl FnOnce(&StoreError),
    ) -> Result<HomeLock, StoreError> {
        match self.lock_unless(patience, waiting, || None::<Infallible>)? {
            Way::Locked(lock) => Ok(lock),
            Way::Instead(never) => match never {},
        }
    }

    /// The same, unless there is another way in: `instead` is asked first, and again and again while
    /// another process has the home.
    ///
    /// # Errors
    /// As [`Home::lock`], once the patience is over.
    pub fn lock_unless<T>(
        &self,
        patience: Duration,
        waiting: impl FnOnce(&StoreError),
        mut instead: impl FnMut() -> Option<T>,
    ) -> Result<Way<T>, StoreError> {
        if let Some(other) = instead() {
            return Ok(Way::Instead(other));
        }
        let held = match self.lock() {
            Err(held @ StoreError::Locked { .. }) => held,
            other => return other.map(Way::Locked),
        };
        waiting(&held);
        // The operating system wakes the thread the moment the lock is free; nobody polls it. If we
        // stop listening first, the lock is let go of again as soon as it comes.
        let (send, receive) = mpsc::channel();
        let (path, file) = self.lock_file()?;
        thread::spawn(move || {
            let _ = send.send(file.lock().map(|()| file));
        });
        let mut left = patience;
        while !left.is_zero() {
            let turn = left.min(ASK_AGAIN);
            match receive.recv_timeout(turn) {
                Ok(Ok(file)) => return Ok(Way::Locked(HomeLock::signed(file))),
                Ok(Err(error)) => return Err(inaccessible(&path, &error)),
                Err(_) => left -= turn,
            }
            if let Some(other) = instead() {
                return Ok(Way::Instead(other));
            }
        }
        Err(held)
    }

    /// The number of the process that has the home, as far as it said. Only worth something while it
    /// has it.
    #[must_use]
    pub fn holder(&self) -> Option<u32> {
        fs::read_to_string(self.folder.join(LOCK)).ok()?.trim().parse().ok()
    }

    fn lock_file(&self) -> Result<(PathBuf, File), StoreError> {
        if self.folder.exists() && !self.folder.is_dir() {
            let cause = "it is a file, and a folder is needed".to_owned();
            return Err(StoreError::Inaccessible { path: self.folder.clone(), cause });
        }
        create::private_folder(&self.folder)?;
        let path = self.folder.join(LOCK);
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let file = options.open(&path).map_err(|error| inaccessible(&path, &error))?;
        Ok((path, file))
    }

    /// Opens the home's files, creating them if need be. `host` names this device if it has no name
    /// yet.
    ///
    /// # Errors
    /// If a file is damaged, foreign, newer than this version, or cannot be read or written.
    pub fn open(
        &self,
        lock: HomeLock,
        host: &HostId,
        config: &Config,
    ) -> Result<SqliteStore, StoreError> {
        SqliteStore::open(self, host, config, lock)
    }

    /// Reads the files of the home whole, without opening them for writing; says of each what is
    /// wrong with it, or why it cannot be read.
    #[must_use]
    pub fn examine(
        &self,
        _lock: &HomeLock,
        config: &Config,
    ) -> Vec<(PathBuf, Result<CheckReport, StoreError>)> {
        let examine = |domain| {
            let path = self.path(domain);
            let report = match inspect::file(&path, domain, config) {
                Ok(true) => check::check(&path, domain, config),
                // Each may be well by itself, or not there at all, and the two not belong together.
                Ok(false) => inspect::both(self, config).map(|_| CheckReport::of_nothing(domain)),
                Err(error) => Err(error),
            };
            (path, report)
        };
        let mut examined = Domain::ALL.map(examine).to_vec();
        if examined.iter().all(|(_, report)| report.is_ok())
            && let (Err(error), Some((_, last))) =
                (inspect::both(self, config), examined.last_mut())
        {
            *last = Err(error);
        }
        examined
    }

    /// Whether this can be a backup, as far as a look at its files tells: whoever restores one wants to
    /// know before a home is made for it.
    ///
    /// # Errors
    /// If it is none, or cannot be read.
    pub fn look_at_backup(&self, config: &Config) -> Result<(), StoreError> {
        copy::look_at(self, config)
    }

    /// Restores a backup into this home, which must have no files yet. The reports say what a full
    /// check of the backup found; if anything, the home is left empty.
    ///
    /// # Errors
    /// If the home has files, or the backup cannot be read.
    pub fn restore(
        &self,
        _lock: &HomeLock,
        from: &Path,
        host: &HostId,
        config: &Config,
    ) -> Result<Vec<CheckReport>, StoreError> {
        copy::restore(self, from, host, config)
    }
}

fn holder(file: &mut File) -> String {
    let mut pid = String::new();
    let read = file.rewind().and_then(|()| file.read_to_string(&mut pid));
    match (read, pid.trim()) {
        (Ok(_), pid) if !pid.is_empty() => format!("process {pid}"),
        _ => "another process".to_owned(),
    }
}

/// Makes names in a folder durable: a rename is only on the disk when its folder is.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    // A relative path without a folder lies in the one we are in.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| inaccessible(folder, &error))
}

pub(crate) fn inaccessible(path: &Path, error: &std::io::Error) -> StoreError {
    if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
        return StoreError::DiskFull { file: path.to_owned() };
    }
    StoreError::Inaccessible { path: path.to_owned(), cause: error.to_string() }
}
