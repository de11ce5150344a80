//! Backup while everything runs, and restore into an empty home.

use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use store::StoreError;
use types::{Domain, HostId};

use crate::check::{self, CheckReport};
use crate::config::Config;
use crate::connection;
use crate::create;
use crate::fault::Fault;
use crate::file;
use crate::header::{self, Found};
use crate::home::{Home, inaccessible, sync_folder};
use crate::inspect;
use crate::log;
use crate::schema;

/// In this order: the agents' file must never be newer than the journal. A journal that is ahead
/// holds effects whose results the agents will find there; an agents' file that is ahead would
/// believe to have seen changes that are gone.
const ORDER: [Domain; 2] = [Domain::Agent, Domain::Journal];

/// Copies both files of an open home into a new folder, each as of one moment.
pub(crate) fn backup(home: &Home, into: &Path, config: &Config) -> Result<(), StoreError> {
    // Without a slash at its end, which would put the unfinished folder into the finished one.
    let into: PathBuf = into.components().collect();
    if into.exists() {
        return Err(StoreError::Exists { path: into });
    }
    let unfinished = Unfinished::beside(&into).map_err(|error| at(&into, error))?;
    for domain in ORDER {
        let (source, target) = (home.path(domain), unfinished.home.path(domain));
        copy_file(&source, &target, config)?;
        let report = check::check(&target, domain, config)?;
        if let Some(finding) = report.findings.into_iter().next() {
            return Err(StoreError::Corrupt { file: source, what: finding });
        }
    }
    sync_folder(unfinished.home.folder())?;
    fs::rename(unfinished.home.folder(), &into).map_err(|error| inaccessible(&into, &error))?;
    sync_folder(into.parent().unwrap_or(&into))
}

/// Copies a backup into a home that has no files yet, checks it, and gives the home a new host name:
/// other devices may have seen commits of the old name that the backup does not hold.
pub(crate) fn restore(
    home: &Home,
    from: &Path,
    host: &HostId,
    config: &Config,
) -> Result<Vec<CheckReport>, StoreError> {
    refuse_to_overwrite(home)?;
    let backup = Home::at(from);
    // Looked at before it is copied, so that errors name the backup.
    look_at(&backup, config)?;
    let folder = home.folder();
    let unfinished =
        Unfinished::beside(&folder.join("restore")).map_err(|error| at(folder, error))?;
    let mut reports = Vec::new();
    for domain in ORDER {
        let (source, target) = (backup.path(domain), unfinished.home.path(domain));
        // The copy goes away; what is damaged in it is damaged in the backup.
        let of_backup = |error| match error {
            StoreError::Corrupt { what, .. } => StoreError::Corrupt { file: source.clone(), what },
            other => other,
        };
        copy_file(&source, &target, config)?;
        let renamed = settle_in(&target, domain, host, config);
        renamed.map_err(|fault| of_backup(fault.at(&target, "writing")))?;
        reports.push(check::check(&target, domain, config).map_err(of_backup)?);
    }
    if reports.iter().all(|report| report.findings.is_empty()) {
        for domain in ORDER {
            let (made, wanted) = (unfinished.home.path(domain), home.path(domain));
            fs::rename(made, &wanted).map_err(|error| inaccessible(&wanted, &error))?;
        }
        sync_folder(home.folder())?;
    }
    Ok(reports)
}

/// Refuses what is no backup, as far as a look at its files tells.
pub(crate) fn look_at(backup: &Home, config: &Config) -> Result<(), StoreError> {
    inspect::both(backup, config)?;
    for domain in ORDER {
        if header::look(&backup.path(domain), domain)? == Found::Nothing {
            let cause = "there is no such file".to_owned();
            return Err(StoreError::Inaccessible { path: backup.path(domain), cause });
        }
    }
    Ok(())
}

/// The same error with the place that somebody named, instead of the unfinished one beside it.
fn at(named: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::Inaccessible { cause, .. } => {
            StoreError::Inaccessible { path: named.to_owned(), cause }
        }
        other => other,
    }
}

/// Anything of a database that lies where one is to be put: a left-over write-ahead log would be
/// played into the restored file.
fn refuse_to_overwrite(home: &Home) -> Result<(), StoreError> {
    for domain in ORDER {
        for suffix in iter::once("").chain(file::LOGS) {
            let path = file::with_suffix(&home.path(domain), suffix);
            // An empty log is what a look at the file leaves behind.
            let in_the_way =
                if suffix.is_empty() { path.exists() } else { log::holds_something(&path) };
            if in_the_way {
                return Err(StoreError::Exists { path });
            }
        }
    }
    Ok(())
}

/// A folder beside the target that becomes it when it is whole, and vanishes otherwise.
struct Unfinished {
    home: Home,
}

impl Unfinished {
    fn beside(target: &Path) -> Result<Unfinished, StoreError> {
        let folder = file::with_suffix(target, ".unfinished");
        if folder.exists() {
            // What an earlier attempt left is nobody's.
            fs::remove_dir_all(&folder).map_err(|error| inaccessible(&folder, &error))?;
        }
        create::private_folder(&folder)?;
        Ok(Unfinished { home: Home::at(&folder) })
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Gone already if it became the target.
        let _ = fs::remove_dir_all(self.home.folder());
    }
}

/// Copies a file into a new one that only its owner can read.
fn copy_file(source: &Path, target: &Path, config: &Config) -> Result<(), StoreError> {
    create::private(target).map_err(|error| inaccessible(target, &error))?;
    copy_pages(source, target, config).map_err(|fault| fault.at(source, "copying"))
}

fn copy_pages(source: &Path, target: &Path, config: &Config) -> Result<(), Fault> {
    let from = connection::open_reader(source, config)?;
    let mut to = connection::open_rewriter(target, config)?;
    let copy = Backup::new(&from, &mut to)?;
    // All pages in one step: one snapshot, which writers do not have to wait for.
    match copy.step(-1)? {
        StepResult::Done => drop(copy),
        // Nothing is wrong with it: somebody else has it locked.
        _ => return Err(Fault::busy("the copy stopped early")),
    }
    // A copy is one file, readable also where nothing can be written beside it.
    to.pragma_update(None, "journal_mode", "DELETE")?;
    Ok(())
}

fn settle_in(path: &Path, domain: Domain, host: &HostId, config: &Config) -> Result<(), Fault> {
    let connection = connection::open_rewriter(path, config)?;
    // A backup of an earlier version is checked as it will be read.
    schema::migrate(&connection, domain)?;
    file::set_meta(&connection, "host", Some(host.as_str()))
}
