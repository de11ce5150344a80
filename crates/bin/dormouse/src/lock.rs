//! Taking a home for this process alone.

use std::path::Path;
use std::time::Duration;

use client::{Notice, Socket};
use sqlite::{Home, HomeLock, Way};
use store::StoreError;
use types::{Code, Problem};

use crate::setup;

/// How long to wait for another command to finish with the home, or for a server to start or stop.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

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

/// Takes a home for what can only be done without a server.
pub(crate) fn lock(home: &Home, notice: Notice<'_>) -> Result<HomeLock, Problem> {
    let way = home.lock_unless(
        PATIENCE,
        |held| say_waiting(held, notice),
        || Socket::find(home.folder()),
    );
    match way? {
        Way::Locked(lock) => Ok(lock),
        Way::Instead(_) => Err(served(home)),
    }
}

pub(crate) fn say_waiting(held: &StoreError, notice: Notice<'_>) {
    notice(&format!("{held}; waiting up to {} s", PATIENCE.as_secs()));
}

/// The home has a server, which will not let go of it by itself.
fn served(home: &Home) -> Problem {
    let process = home.holder().map_or_else(|| "PROCESS".to_owned(), |pid| pid.to_string());
    let message = format!("{} is in use by its server, process {process}", home.folder().display());
    let hint = format!("stop the server first, with Ctrl-C where it runs or `kill {process}`");
    Problem::new(Code::HomeLocked, message, hint)
}
