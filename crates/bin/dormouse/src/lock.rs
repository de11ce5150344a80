//! Taking a home for this process alone.

use std::path::Path;
use std::time::Duration;

use client::{Notice, Socket};
use sqlite::{Home, HomeLock, Way};
use store::StoreError;
use types::{Code, Problem};

use crate::setup;

/// How long to wait for another command to finish with the home, or for a server to start or stop.
const PATIENCE: Duration = Duration::from_secs(5);

/// A home that is there: looking after one that is not would make it.
pub(crate) fn existing(folder: &Path) -> Result<Home, Problem> {
    let home = Home::at(folder);
    if home.exists() { Ok(home) } else { Err(nowhere(folder)) }
}

/// A home that is there, or that somebody has begun to make: by an empty folder, or by how it is set up.
pub(crate) fn begun(folder: &Path) -> Result<Home, Problem> {
    let home = Home::at(folder);
    let begun = home.exists() || home.is_blank() || setup::is_there(folder);
    if begun { Ok(home) } else { Err(nowhere(folder)) }
}

fn nowhere(folder: &Path) -> Problem {
    let message = format!("there is no home at {}", folder.display());
    let hint = "name another with --home or DORMOUSE_HOME; `dormouse up` makes one there, and so does \
                `dormouse task add`";
    Problem::new(Code::HomeInaccessible, message, hint)
}

/// The way into a home: its server, or the home itself. A server that is starting has the home and no socket yet, one
/// that is stopping has the home and no socket any more: both ways are tried until one opens.
pub(crate) fn way_in(home: &Home, notice: Notice<'_>) -> Result<Way<Socket>, Problem> {
    let say_waiting =
        |held: &StoreError| notice(&format!("{held}; waiting up to {} s", PATIENCE.as_secs()));
    Ok(home.lock_unless(PATIENCE, say_waiting, || Socket::find(home.folder()))?)
}

/// Takes a home for what can only be done without a server.
pub(crate) fn lock(home: &Home, notice: Notice<'_>) -> Result<HomeLock, Problem> {
    match way_in(home, notice)? {
        Way::Locked(lock) => Ok(lock),
        Way::Instead(_) => Err(served(home)),
    }
}

/// The home has a server, which will not let go of it by itself.
fn served(home: &Home) -> Problem {
    let process = home.holder().map_or_else(|| "PROCESS".to_owned(), |pid| pid.to_string());
    let message = format!("{} is in use by its server, process {process}", home.folder().display());
    let hint = format!("stop the server first, with Ctrl-C where it runs or `kill {process}`");
    Problem::new(Code::HomeLocked, message, hint)
}
