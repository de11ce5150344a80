//! Backing a home up: by its server if it has one, by this process otherwise.

use std::any::Any;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use api_types::{ProblemReply, Request};
use client::{Notice, Transport};
use router::Backup;
use sqlite::{Config, Home, SqliteStore, Way};
use store::StoreError;
use tokio::task::JoinError;
use types::{Code, Problem};

use crate::local::new_host;
use crate::lock::way_in;

/// Copies the files of a home into a new folder. A server that has the home is asked to: only the process that
/// has the files open knows what was written last.
pub(crate) fn backup(home: &Home, into: &Path, notice: Notice<'_>) -> Result<(), ProblemReply> {
    match way_in(home, notice)? {
        Way::Instead(server) => server.send(Request::Backup { into: whole_path(into)? }).map(drop),
        Way::Locked(lock) => {
            let store = home.open(lock, &new_host(), &Config::default()).map_err(Problem::from)?;
            Ok(copy(&store, into, &Arc::default())?)
        }
    }
}

/// The backup that a server makes of the store it has open, until `stop` is set: it would hold the store, and nobody
/// could close it. One at a time: each keeps the logs from beginning anew.
pub(crate) fn of_open(store: Arc<SqliteStore>, stop: Arc<AtomicBool>) -> Backup {
    let turn = Arc::new(Mutex::new(()));
    Arc::new(move |into| {
        let (store, turn, stop) = (Arc::clone(&store), Arc::clone(&turn), Arc::clone(&stop));
        let copied = tokio::task::spawn_blocking(move || {
            // Nothing is held by whoever panicked in it.
            let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            copy(&store, &into, &stop)
        });
        Box::pin(async move { copied.await.unwrap_or_else(|broken| Err(broke_off(broken))) })
    })
}

fn copy(store: &SqliteStore, into: &Path, stop: &Arc<AtomicBool>) -> Result<(), Problem> {
    store.backup_until(into, stop).map_err(|error| match &error {
        StoreError::Stopped => stopped(),
        StoreError::Io { file, .. } if file.starts_with(into) => {
            let way_out = "choose a folder on another disk; the home is as it was";
            Problem::new(error.code(), error.to_string(), way_out)
        }
        _ => {
            let way_out = "name a folder that does not exist yet, in one where you may write; the home is \
                           as it was";
            of_folder(into, error, way_out)
        }
    })
}

/// A server has another working folder than this process.
fn whole_path(into: &Path) -> Result<String, Problem> {
    let whole = std::path::absolute(into).ok();
    let text = whole.and_then(|path| path.into_os_string().into_string().ok());
    text.ok_or_else(|| {
        let message = format!("{} cannot be named to the server", into.display());
        Problem::new(Code::WrongUsage, message, "name a folder whose whole path is plain text")
    })
}

/// A copy that came to no end of its own: it panicked, or was never begun.
fn broke_off(broken: JoinError) -> Problem {
    broken.try_into_panic().map_or_else(|_| stopped(), |panic| panicked(&*panic))
}

fn stopped() -> Problem {
    let message = "the server is stopping, and gave the backup up";
    Problem::new(Code::ServerGone, message, "make it again; the home is as it was")
}

fn panicked(panic: &(dyn Any + Send)) -> Problem {
    let message = format!("the backup broke off: {}", dispatch::last_words(panic));
    let hint = "this is a mistake of the program; please tell. The home is as it was";
    Problem::new(Code::StoreClosed, message, hint)
}

/// The same with this way out, if the folder that was named besides the home cannot be used: no other home
/// would help then.
pub(crate) fn of_folder(folder: &Path, error: StoreError, way_out: &str) -> Problem {
    match &error {
        StoreError::Inaccessible { path, .. } if path.starts_with(folder) => {
            Problem::new(error.code(), error.to_string(), way_out)
        }
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_panics_says_so_and_does_not_blame_a_stop() {
        let executor = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let joined = |work: fn()| {
            executor.block_on(async { tokio::task::spawn_blocking(work).await }).unwrap_err()
        };
        let told = broke_off(joined(|| panic!("seven is not eight")));
        assert_eq!(told.code, Code::StoreClosed);
        assert!(told.message.contains("seven is not eight"), "{told:?}");
    }
}
