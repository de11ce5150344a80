//! Read-only connections, and who uses them: whoever asks, at once. A read takes some dozen microseconds;
//! handing it to another thread and back took as long again.

use std::future::ready;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use store::{Answer, StoreError};
use vfs::Connection;

use crate::config::{Config, Drive};
use crate::connection;
use crate::fault::Fault;

/// The readers of a file. They never wait for the writer, nor it for them.
pub(crate) struct Readers {
    path: PathBuf,
    config: Config,
    /// Connections that there may be.
    most: usize,
    pool: Mutex<Pool>,
    returned: Condvar,
}

struct Pool {
    idle: Vec<Connection>,
    /// Connections that there are, idle or not.
    open: usize,
    /// Who waits for one.
    waiting: usize,
}

impl Readers {
    /// The first connection is opened now, so that a file that cannot be read is found now; others when
    /// somebody has to wait.
    pub(crate) fn open(path: &Path, config: &Config) -> Result<Readers, Fault> {
        let most = match config.drive {
            Drive::Caller => 1,
            Drive::Threads => config.readers.max(1),
        };
        let pool = Pool { idle: vec![connection::open_reader(path, config)?], open: 1, waiting: 0 };
        let (path, config) = (path.to_owned(), config.clone());
        Ok(Readers { path, config, most, pool: Mutex::new(pool), returned: Condvar::new() })
    }

    /// Runs a read, here and now.
    pub(crate) fn read<T, F>(&self, read: F) -> Answer<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    {
        Box::pin(ready(self.read_now(read)))
    }

    fn read_now<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let failed = |fault: Fault| fault.at(&self.path, "reading");
        let connection = self.take().map_err(failed)?;
        // A read that panics tells its caller so. It may have left anything behind, so its connection
        // goes with it.
        match catch_unwind(AssertUnwindSafe(|| read(&connection))) {
            Ok(found) => {
                self.give_back(Some(connection));
                found.map_err(failed)
            }
            Err(_) => {
                self.give_back(None);
                Err(StoreError::Closed)
            }
        }
    }

    fn take(&self) -> Result<Connection, Fault> {
        let mut pool = self.lock();
        loop {
            if let Some(connection) = pool.idle.pop() {
                return Ok(connection);
            }
            if pool.open < self.most {
                pool.open += 1;
                drop(pool);
                let opened = connection::open_reader(&self.path, &self.config);
                return opened.inspect_err(|_| self.give_back(None));
            }
            pool.waiting += 1;
            pool = self.returned.wait(pool).unwrap_or_else(PoisonError::into_inner);
            pool.waiting -= 1;
        }
    }

    fn give_back(&self, connection: Option<Connection>) {
        let mut pool = self.lock();
        match connection {
            Some(connection) => pool.idle.push(connection),
            None => pool.open -= 1,
        }
        let awaited = pool.waiting > 0;
        drop(pool);
        // To tell nobody is a call of the system too.
        if awaited {
            self.returned.notify_one();
        }
    }

    /// Closes the connections that nobody uses, but for one, which lets go of its pages and statements: their
    /// memory is worth having only while there is work.
    pub(crate) fn rest(&self) {
        let mut pool = self.lock();
        let kept = pool.idle.len().min(1);
        let spare = pool.idle.split_off(kept);
        if let Some(last) = pool.idle.first() {
            connection::rest(last);
        }
        pool.open -= spare.len();
        drop(pool);
        drop(spare);
    }

    fn lock(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
