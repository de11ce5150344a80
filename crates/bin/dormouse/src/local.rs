//! The way into a home when no server runs: this process takes the home and routes for itself.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use api_types::{CheckReply, ProblemReply, Request};
use client::{Connect, Notice, Transport};
use host::Machine;
use router::Router;
use runtime::{Runtime, Stay};
use serde_json::Value;
use sqlite::{CheckReport, Config, Home, HomeLock, SqliteStore};
use store::{Store, StoreError, wait};
use types::{Code, HostId, Problem};
use world::World;

/// How long to wait for another command to finish with the home.
const PATIENCE: Duration = Duration::from_secs(5);

/// Adapters of this machine.
pub(crate) struct Local;

struct InProcess {
    router: Router,
}

impl Transport for InProcess {
    fn send(&self, request: Request) -> Result<Value, ProblemReply> {
        Ok(wait(self.router.answer(request))?)
    }

    fn settle(&self) -> Result<usize, ProblemReply> {
        Ok(wait(self.router.settle())?)
    }
}

impl Connect for Local {
    fn connect(&self, home: &Path, notice: Notice<'_>) -> Result<Box<dyn Transport>, ProblemReply> {
        let store = open(home, notice).map_err(Problem::from)?;
        if store.check_due() {
            notice("the last stop was not clean; checking the files in the background");
            store.check_in_background(report_damage);
        }
        let store: Arc<dyn Store> = Arc::new(store);
        let runtime = wait(Runtime::start(store, Arc::new(Machine), Stay::OneCommand))?;
        Ok(Box::new(InProcess { router: Router::new(runtime) }))
    }

    fn doctor(&self, home: &Path, notice: Notice<'_>) -> Result<Vec<CheckReply>, ProblemReply> {
        let home = existing(home)?;
        let lock = lock(&home, notice).map_err(Problem::from)?;
        notice("reading every page and following every chain");
        let examined = home.examine(&lock, &Config::default());
        let whole = examined.iter().all(|(_, r)| r.as_ref().is_ok_and(|r| r.findings.is_empty()));
        let replies = examined.into_iter().map(|(path, result)| reply(&path, result)).collect();
        if whole {
            // Once more through an open store, which then knows that no check is due any more.
            let store = open_locked(&home, lock).map_err(Problem::from)?;
            store.check().map_err(Problem::from)?;
        }
        Ok(replies)
    }

    fn backup(&self, home: &Path, into: &Path, notice: Notice<'_>) -> Result<(), ProblemReply> {
        let home = existing(home)?;
        let store = open(home.folder(), notice).map_err(Problem::from)?;
        Ok(store.backup(into).map_err(Problem::from)?)
    }

    fn restore(
        &self,
        home: &Path,
        from: &Path,
        notice: Notice<'_>,
    ) -> Result<Vec<CheckReply>, ProblemReply> {
        let home = Home::at(home);
        let lock = lock(&home, notice).map_err(Problem::from)?;
        notice("copying and checking the backup");
        let reports =
            home.restore(&lock, from, &new_host(), &Config::default()).map_err(Problem::from)?;
        // What was checked is what the backup holds.
        let backup = Home::at(from);
        Ok(reports.into_iter().map(|r| reply(&backup.path(r.domain), Ok(r))).collect())
    }
}

/// A home that is there: looking after one that is not would make it.
fn existing(folder: &Path) -> Result<Home, Problem> {
    let home = Home::at(folder);
    if home.exists() {
        return Ok(home);
    }
    let message = format!("there is no home at {}", folder.display());
    Err(Problem::new(Code::HomeInaccessible, message, "name one with --home or DORMOUSE_HOME"))
}

fn lock(home: &Home, notice: Notice<'_>) -> Result<HomeLock, StoreError> {
    home.lock_within(PATIENCE, |held| {
        notice(&format!("{held}; waiting up to {} s", PATIENCE.as_secs()));
    })
}

fn open(folder: &Path, notice: Notice<'_>) -> Result<SqliteStore, StoreError> {
    let home = Home::at(folder);
    let lock = lock(&home, notice)?;
    open_locked(&home, lock)
}

fn open_locked(home: &Home, lock: HomeLock) -> Result<SqliteStore, StoreError> {
    home.open(lock, &new_host(), &Config::default())
}

fn new_host() -> HostId {
    HostId::new(Machine.ulid())
}

#[expect(clippy::print_stderr, reason = "the check ends on a thread that has no screen")]
fn report_damage(found: Result<Vec<CheckReport>, StoreError>) {
    let damaged = match found {
        Ok(reports) => reports.iter().any(|report| !report.findings.is_empty()),
        Err(_) => true,
    };
    if damaged {
        eprintln!("dormouse: the check found damage; `dormouse doctor` says what");
    }
}

fn reply(path: &Path, result: Result<CheckReport, StoreError>) -> CheckReply {
    let file = path.display().to_string();
    match result {
        Ok(CheckReport { changes, audit_entries, findings, .. }) => {
            let ok = findings.is_empty();
            CheckReply { file, ok, changes, audit_entries, findings, problem: None }
        }
        Err(error) => {
            let problem = Some(Problem::from(error).into());
            let findings = vec![];
            CheckReply { file, ok: false, changes: 0, audit_entries: 0, findings, problem }
        }
    }
}
