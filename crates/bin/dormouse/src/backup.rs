//! Backing a home up: by its server if it has one, by this process otherwise.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use api_types::{ProblemReply, Request};
use client::{Notice, Socket, Transport};
use router::Backup;
use sqlite::{Config, Home, SqliteStore, Way};
use store::StoreError;
use types::{Code, Problem};

use crate::local::new_host;
use crate::lock::{PATIENCE, say_waiting};

/// Copies the files of a home into a new folder. A server that has the home is asked to: only the process that
/// has the files open knows what was written last.
pub(crate) fn backup(home: &Home, into: &Path, notice: Notice<'_>) -> Result<(), ProblemReply> {
    let way = home.lock_unless(
        PATIENCE,
        |held| say_waiting(held, notice),
        || Socket::find(home.folder()),
    );
    match way.map_err(Problem::from)? {
        Way::Instead(server) => server.send(Request::Backup { into: whole_path(into)? }).map(drop),
        Way::Locked(lock) => {
            let store = home.open(lock, &new_host(), &Config::default()).map_err(Problem::from)?;
            Ok(copy(&store, into)?)
        }
    }
}

/// The backup that a server makes of the store it has open. One at a time: two into the same folder would take
/// each other's unfinished files away.
pub(crate) fn of_open(store: Arc<SqliteStore>) -> Backup {
    let turn = Arc::new(Mutex::new(()));
    Arc::new(move |into| {
        let (store, turn) = (Arc::clone(&store), Arc::clone(&turn));
        let copied = tokio::task::spawn_blocking(move || {
            // Nothing is held by whoever panicked in it.
            let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            copy(&store, &into)
        });
        Box::pin(async move { copied.await.unwrap_or_else(|_| Err(broke_off())) })
    })
}

fn copy(store: &SqliteStore, into: &Path) -> Result<(), Problem> {
    let way_out =
        "name a folder that does not exist yet, in one where you may write; the home is as it was";
    store.backup(into).map_err(|error| of_folder(into, error, way_out))
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

fn broke_off() -> Problem {
    let message = "the server stopped before the backup was made";
    Problem::new(Code::ServerGone, message, "make it again; the home is as it was")
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
