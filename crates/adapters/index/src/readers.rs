//! Read-only connections. Each is used by one search at a time.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use crate::config::Config;
use crate::connection;
use crate::fault::Fault;

/// Connections that are kept for the next search. More may be open while more search at once.
const IDLE_MAX: usize = 2;

/// The readers of the file. They never wait for the writer, nor it for them, nor they for each other.
pub(crate) struct Readers {
    path: PathBuf,
    config: Config,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// None are open yet.
    pub(crate) fn new(path: &Path, config: &Config) -> Readers {
        Readers { path: path.to_owned(), config: config.clone(), idle: Mutex::default() }
    }

    /// Runs a read; all of it sees the same moment.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let kept = self.idle().pop();
        let connection = match kept {
            Some(connection) => connection,
            None => connection::open_reader(&self.path, &self.config)?,
        };
        let moment = connection.unchecked_transaction()?;
        let answer = read(&moment)?;
        moment.commit()?;
        // One that failed is not kept: the next search begins with a fresh one.
        let mut idle = self.idle();
        if idle.len() < IDLE_MAX {
            idle.push(connection);
        }
        Ok(answer)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
