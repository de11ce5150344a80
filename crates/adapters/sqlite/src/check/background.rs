//! The full check on a thread of its own.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::InterruptHandle;
use store::StoreError;
use types::Domain;

use crate::config::Config;

use super::CheckReport;
use super::run::check_interruptibly;

/// How long closing waits for a check to finish. Small homes are through long before.
const PATIENCE: Duration = Duration::from_secs(1);

/// A file to check, and where to note that it passed.
type Job = (Domain, PathBuf, Arc<AtomicBool>);

/// A check that is going on. Dropping it waits a moment, then gives it up.
pub(crate) struct BackgroundCheck {
    thread: Option<JoinHandle<()>>,
    finished: Receiver<()>,
    stop: Arc<Stop>,
}

#[derive(Default)]
struct Stop {
    wanted: AtomicBool,
    current: Mutex<Option<InterruptHandle>>,
}

impl BackgroundCheck {
    pub(crate) fn start(
        files: [Job; 2],
        config: Config,
        done: impl FnOnce(Result<Vec<CheckReport>, StoreError>) + Send + 'static,
    ) -> BackgroundCheck {
        let stop = Arc::new(Stop::default());
        let (send, finished) = mpsc::channel();
        let stopping = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let reports = check_all(&files, &config, &stopping);
            if !stopping.wanted.load(Ordering::Acquire) {
                done(reports);
            }
            // Nobody may be waiting.
            let _ = send.send(());
        });
        BackgroundCheck { thread: Some(thread), finished, stop }
    }
}

fn check_all(files: &[Job], config: &Config, stop: &Stop) -> Result<Vec<CheckReport>, StoreError> {
    let mut reports = Vec::new();
    for (domain, path, passed) in files {
        let report = check_interruptibly(path, *domain, config, |handle| stop.offer(handle))?;
        if report.findings.is_empty() {
            passed.store(true, Ordering::Release);
        }
        reports.push(report);
    }
    Ok(reports)
}

impl Stop {
    /// Takes the means to interrupt; uses it at once if that is wanted already.
    fn offer(&self, handle: InterruptHandle) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if self.wanted.load(Ordering::Acquire) {
            handle.interrupt();
        }
        *current = Some(handle);
    }

    fn now(&self) {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        self.wanted.store(true, Ordering::Release);
        if let Some(handle) = &*current {
            handle.interrupt();
        }
    }
}

impl Drop for BackgroundCheck {
    fn drop(&mut self) {
        if self.finished.recv_timeout(PATIENCE).is_err() {
            self.stop.now();
        }
        // A check that panicked has nothing left to tell.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
