//! The full check on a thread of its own.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use store::StoreError;
use types::Domain;

use crate::config::Config;

use super::CheckReport;
use super::run::check_until;

/// How long closing waits for a check to finish. Small homes are through long before.
const PATIENCE: Duration = Duration::from_secs(1);

/// A file to check, and where to note that it passed.
type Job = (Domain, PathBuf, Arc<AtomicBool>);

/// A check that is going on. Dropping it waits a moment, then gives it up.
pub(crate) struct BackgroundCheck {
    thread: Option<JoinHandle<()>>,
    finished: Receiver<()>,
    stop: Arc<AtomicBool>,
}

impl BackgroundCheck {
    pub(crate) fn start(
        files: [Job; 2],
        config: Config,
        done: impl FnOnce(Result<Vec<CheckReport>, StoreError>) + Send + 'static,
    ) -> BackgroundCheck {
        let stop = Arc::new(AtomicBool::new(false));
        let (send, finished) = mpsc::channel();
        let stopping = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let reports = check_all(&files, &config, &stopping);
            if !stopping.load(Ordering::Acquire) {
                done(reports);
            }
            // Nobody may be waiting.
            let _ = send.send(());
        });
        BackgroundCheck { thread: Some(thread), finished, stop }
    }
}

fn check_all(
    files: &[Job],
    config: &Config,
    stop: &Arc<AtomicBool>,
) -> Result<Vec<CheckReport>, StoreError> {
    let mut reports = Vec::new();
    for (domain, path, passed) in files {
        let report = check_until(path, *domain, config, stop)?;
        if report.findings.is_empty() {
            passed.store(true, Ordering::Release);
        }
        reports.push(report);
    }
    Ok(reports)
}

impl Drop for BackgroundCheck {
    fn drop(&mut self) {
        if self.finished.recv_timeout(PATIENCE).is_err() {
            self.stop.store(true, Ordering::Release);
        }
        // A check that panicked has nothing left to tell.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
