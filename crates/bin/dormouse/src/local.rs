//! The ways into a home: a running server's socket, or this process takes the home and routes for
//! itself.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;

use api_types::{CheckReply, ProblemReply, ServingReply, WatchReply};
use client::{Connect, Needs, Notice, Transport};
use host::Machine;
use index_sqlite::SqliteIndex;
use router::Router;
use runtime::{Index, Runtime, Stay};
use sqlite::{CheckReport, Config, Home, HomeLock, SqliteStore, Way};
use store::{Store, StoreError, wait};
use tokio::runtime::Builder;
use types::{Code, HostId, Problem};
use world::World;

use crate::backup::{self, of_folder};
use crate::examined::reply;
use crate::in_process::InProcess;
use crate::lock::{begun, existing, lock, way_in};
use crate::up::Up;
use crate::{serve, setup};

/// Adapters of this machine.
pub(crate) struct Local;

impl Connect for Local {
    fn connect(
        &self,
        home: &Path,
        needs: Needs,
        notice: Notice<'_>,
    ) -> Result<Box<dyn Transport>, ProblemReply> {
        let home = match needs {
            Needs::Place => Home::at(home),
            Needs::Home | Needs::Files => begun(home)?,
        };
        match way_in(&home, notice)? {
            Way::Instead(server) => Ok(Box::new(server)),
            Way::Locked(lock) => Ok(Box::new(in_process(&home, lock, needs, notice)?)),
        }
    }

    fn serve(
        &self,
        home: &Path,
        listen: SocketAddr,
        ready: &dyn Fn(&ServingReply),
        notice: Notice<'_>,
    ) -> Result<(), ProblemReply> {
        Ok(serve::serve(&Home::at(home), listen, ready, None, notice)?)
    }

    fn up(
        &self,
        home: &Path,
        listen: SocketAddr,
        sample: bool,
        watch: &dyn Fn(&WatchReply),
        notice: Notice<'_>,
    ) -> Result<(), ProblemReply> {
        let ready = |serving: &ServingReply| watch(&WatchReply::Ready(serving.clone()));
        let up = Up { sample, watch };
        Ok(serve::serve(&Home::at(home), listen, &ready, Some(&up), notice)?)
    }

    fn doctor(&self, home: &Path, notice: Notice<'_>) -> Result<Vec<CheckReply>, ProblemReply> {
        let home = existing(home)?;
        let lock = lock(&home, notice)?;
        notice("reading every page and following every chain");
        let examined = home.examine(&lock, &Config::default());
        let whole = examined.iter().all(|(_, r)| r.as_ref().is_ok_and(|r| r.findings.is_empty()));
        let replies = examined.into_iter().map(|(path, result)| reply(&path, result)).collect();
        if whole {
            // Once more through an open store, which then knows that no check is due any more.
            let store = home.open(lock, &new_host(), &Config::default()).map_err(Problem::from)?;
            store.check().map_err(Problem::from)?;
        }
        Ok(replies)
    }

    fn backup(&self, home: &Path, into: &Path, notice: Notice<'_>) -> Result<(), ProblemReply> {
        backup::backup(&existing(home)?, into, notice)
    }

    fn restore(
        &self,
        home: &Path,
        from: &Path,
        notice: Notice<'_>,
    ) -> Result<Vec<CheckReply>, ProblemReply> {
        let (home, backup, config) = (Home::at(home), Home::at(from), Config::default());
        let of_backup = |error| {
            let way_out = "name a folder that `dormouse backup` made, and that you may read; the home is \
                           as it was";
            of_folder(from, error, way_out)
        };
        // Locking makes the folder of the home: not for what is no backup.
        if !home.folder().exists() {
            backup.look_at_backup(&config).map_err(of_backup)?;
        }
        let lock = lock(&home, notice)?;
        notice("copying and checking the backup");
        let reports = home.restore(&lock, from, &new_host(), &config).map_err(of_backup)?;
        // What was checked is what the backup holds.
        Ok(reports.into_iter().map(|r| reply(&backup.path(r.domain), Ok(r))).collect())
    }
}

/// Takes a home for one command and does in this process what a server would do.
fn in_process(
    home: &Home,
    lock: HomeLock,
    needs: Needs,
    notice: Notice<'_>,
) -> Result<InProcess, Problem> {
    let without = |problem: Problem| match needs {
        Needs::Place | Needs::Home => Err(problem),
        Needs::Files => {
            notice(&format!("{}; this command does without", problem.message));
            Ok(setup::bare(Stay::OneCommand))
        }
    };
    let setup = setup::of_home(home.folder(), Stay::OneCommand).or_else(without)?;
    let store: Arc<dyn Store> = Arc::new(open(home, lock, notice)?);
    let index = index(home.folder(), &*store);
    let start = |setup| wait(Runtime::start(Arc::clone(&store), Arc::new(Machine), setup));
    let runtime = match start(setup) {
        // That a template fits no tool is found only when the tools are there.
        Err(problem) if problem.code == Code::BadConfig => start(without(problem)?)?,
        started => started?,
    };
    // Without a handle to give, the executor does not say so but panics.
    let executor =
        UnixStream::pair().and_then(|_| Builder::new_current_thread().enable_all().build());
    let executor = executor.map_err(|error| serve::no_room(&error))?;
    Ok(InProcess::new(Router::new(runtime, index), executor))
}

/// The index of a home's words; opened by the first search.
pub(crate) fn index(folder: &Path, store: &dyn Store) -> Arc<dyn Index> {
    Arc::new(SqliteIndex::at(folder, store.host(), &index_sqlite::Config::default()))
}

/// Opens a home for work.
pub(crate) fn open(
    home: &Home,
    lock: HomeLock,
    notice: Notice<'_>,
) -> Result<SqliteStore, Problem> {
    let config = Config { tidy: host::tidy, ..Config::default() };
    let store = home.open(lock, &new_host(), &config)?;
    if store.check_due() {
        notice(
            "the last stop was not clean; checking the files in the background (`dormouse doctor` does so \
             to the end)",
        );
        store.check_in_background(report_damage);
    }
    Ok(store)
}

pub(crate) fn new_host() -> HostId {
    HostId::new(Machine.ulid())
}

fn report_damage(found: Result<Vec<CheckReport>, StoreError>) {
    let damaged = match found {
        Ok(reports) => reports.iter().any(|report| !report.findings.is_empty()),
        Err(_) => true,
    };
    if damaged {
        say("the check found damage; `dormouse doctor` says what");
    }
}

/// Says something on a thread that has no screen. Nobody may be there to hear it any more, and that stops
/// nothing.
pub(crate) fn say(words: &str) {
    let _ = writeln!(io::stderr(), "dormouse: {words}");
}
