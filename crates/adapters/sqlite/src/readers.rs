//! Read-only connections, and who uses them.

use std::collections::VecDeque;
use std::future::ready;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use store::{Answer, StoreError};
use tokio::sync::oneshot;

use crate::config::{Config, Drive};
use crate::connection;
use crate::fault::Fault;

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// The readers of a file. They never wait for the writer, nor it for them.
pub(crate) struct Readers {
    path: PathBuf,
    inner: Inner,
}

enum Inner {
    Threads { jobs: Arc<Jobs>, threads: Vec<JoinHandle<()>> },
    Caller(Mutex<Connection>),
}

#[derive(Default)]
struct Jobs {
    state: Mutex<State>,
    arrived: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    closed: bool,
}

impl Readers {
    pub(crate) fn open(path: &Path, config: &Config) -> Result<Readers, Fault> {
        let inner = match config.drive {
            Drive::Caller => Inner::Caller(Mutex::new(connection::open_reader(path, config)?)),
            Drive::Threads => {
                let jobs = Arc::new(Jobs::default());
                let mut threads = Vec::new();
                for _ in 0..config.readers.max(1) {
                    let connection = connection::open_reader(path, config)?;
                    let jobs = Arc::clone(&jobs);
                    threads.push(thread::spawn(move || jobs.work(&connection)));
                }
                Inner::Threads { jobs, threads }
            }
        };
        Ok(Readers { path: path.to_owned(), inner })
    }

    /// Runs a read: on a reader's thread, or here and now.
    pub(crate) fn read<T, F>(&self, read: F) -> Answer<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    {
        let path = self.path.clone();
        let read = move |connection: &Connection| {
            read(connection).map_err(|fault| fault.at(&path, "reading"))
        };
        match &self.inner {
            Inner::Caller(connection) => {
                let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
                Box::pin(ready(read(&connection)))
            }
            Inner::Threads { jobs, .. } => {
                let (reply, answer) = oneshot::channel();
                jobs.push(Box::new(move |connection| {
                    // Nobody may be waiting any more; then the answer is not needed.
                    let _ = reply.send(read(connection));
                }));
                Box::pin(async move { answer.await.unwrap_or(Err(StoreError::Closed)) })
            }
        }
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        if let Inner::Threads { jobs, threads } = &mut self.inner {
            jobs.lock().closed = true;
            jobs.arrived.notify_all();
            for thread in threads.drain(..) {
                // A reader that panicked has nothing left to tell.
                let _ = thread.join();
            }
        }
    }
}

impl Jobs {
    fn push(&self, job: Job) {
        self.lock().waiting.push_back(job);
        self.arrived.notify_one();
    }

    fn work(&self, connection: &Connection) {
        while let Some(job) = self.next() {
            // A read that panics drops its caller's channel, which tells it; the reader goes on.
            let _ = catch_unwind(AssertUnwindSafe(|| job(connection)));
        }
    }

    fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.waiting.pop_front() {
                return Some(job);
            }
            if state.closed {
                return None;
            }
            state = self.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
