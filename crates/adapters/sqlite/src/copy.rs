//! Backup while everything runs, and restore into an empty home.

use std::fs;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use store::StoreError;
use types::{Domain, HostId};

use crate::check::{self, CheckReport};
use crate::config::Config;
use crate::connection;
use crate::file;
use crate::header::{self, Found};
use crate::home::{Home, inaccessible, sync_folder};
use crate::inspect;
use crate::log;
use crate::schema;
use crate::snapshot;
use crate::unfinished::Unfinished;

/// In this order: the agents' file must never be newer than the journal. A journal that is ahead
/// holds effects whose results the agents will find there; an agents' file that is ahead would
/// believe to have seen changes that are gone.
const ORDER: [Domain; 2] = [Domain::Agent, Domain::Journal];

/// Pages by which a log may grow over the copy of its file: it lies in memory, and cannot begin anew as long as somebody
/// looks at what it held before. Eight times as long as one is that is folded in time.
const fn grown_max(config: &Config) -> u32 {
    config.checkpoint_pages.saturating_mul(8)
}

/// Copies both files of an open home into a new folder, each as of one moment. It is given up when `stop` is set, or
/// when a log, of so many pages, grows too long meanwhile.
pub(crate) fn backup(
    home: &Home,
    into: &Path,
    config: &Config,
    stop: &Arc<AtomicBool>,
    log_pages: &dyn Fn(Domain) -> u32,
) -> Result<(), StoreError> {
    // Without a slash at its end, which would put the unfinished folder into the finished one.
    let into: PathBuf = into.components().collect();
    if into.exists() {
        return Err(StoreError::Exists { path: into });
    }
    let unfinished = Unfinished::beside(&into, &into)?;
    let is_stopped = || stop.load(Ordering::Acquire);
    for domain in ORDER {
        let (source, target) = (home.path(domain), unfinished.home.path(domain));
        let before = log_pages(domain);
        let go_on = || {
            if is_stopped() {
                return Err(StoreError::Stopped);
            }
            let (grown, most) = (log_pages(domain).saturating_sub(before), grown_max(config));
            if grown > most { Err(StoreError::Outrun { file: source.clone() }) } else { Ok(()) }
        };
        let copied = snapshot::copy(&source, &target, config, &go_on);
        let checked = copied.and_then(|()| check::check_until(&target, domain, config, stop));
        let report = checked.map_err(|error| match is_stopped() {
            true => StoreError::Stopped,
            false => of_source(unfinished.name(error), &source),
        })?;
        if let Some(finding) = report.findings.into_iter().next() {
            return Err(StoreError::Corrupt { file: source, what: finding });
        }
    }
    unfinished.becomes(&into)
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
    let unfinished = Unfinished::beside(&folder.join("restore"), folder)?;
    let mut reports = Vec::new();
    for domain in ORDER {
        let (source, target) = (backup.path(domain), unfinished.home.path(domain));
        let made = snapshot::copy(&source, &target, config, &|| Ok(()))
            .and_then(|()| settle_in(&target, domain, host, config))
            .and_then(|()| check::check(&target, domain, config));
        reports.push(made.map_err(|error| of_source(unfinished.name(error), &source))?);
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

/// The same error about what was copied, if that is damaged: the copy goes away.
fn of_source(error: StoreError, source: &Path) -> StoreError {
    match error {
        StoreError::Corrupt { what, .. } => StoreError::Corrupt { file: source.to_owned(), what },
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

fn settle_in(
    path: &Path,
    domain: Domain,
    host: &HostId,
    config: &Config,
) -> Result<(), StoreError> {
    let settled = connection::open_rewriter(path, config).and_then(|connection| {
        // A backup of an earlier version is checked as it will be read.
        schema::migrate(&connection, domain)?;
        file::set_meta(&connection, "host", Some(host.as_str()))
    });
    settled.map_err(|fault| fault.at(path, "writing"))
}

#[cfg(test)]
#[path = "copy_tests.rs"]
mod tests;
