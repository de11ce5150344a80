//! What stops a server: whoever tells it to, and a store that takes nothing more.

use std::fs;
use std::io;

use store::StoreError;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use types::Problem;

/// What tells a process to stop.
pub(crate) struct Stop {
    terminate: Signal,
    interrupt: Signal,
    /// Its terminal was closed; none if it was started so that it outlives that.
    hangup: Option<Signal>,
}

impl Stop {
    pub(crate) fn listen() -> io::Result<Stop> {
        let terminate = signal(SignalKind::terminate())?;
        let interrupt = signal(SignalKind::interrupt())?;
        let hangup = heeds_hangup().then(|| signal(SignalKind::hangup())).transpose()?;
        Ok(Stop { terminate, interrupt, hangup })
    }

    pub(crate) async fn told(&mut self) {
        let hung_up = async {
            match &mut self.hangup {
                Some(hangup) => drop(hangup.recv().await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            () = hung_up => {}
        }
    }
}

/// Whether this process is to mind that its terminal is closed: `nohup` has it ignore that, and to listen would
/// undo it. Where that cannot be told, nobody listens.
fn heeds_hangup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 == 0)
}

/// Why a file takes nothing more before it is opened anew, each as its store tells it.
pub(crate) type Stops = [watch::Receiver<Option<StoreError>>; 2];

/// Ends when one of the files takes nothing more. A server that stayed would answer and do nothing; one that ends is
/// started anew by whoever minds it, and opens the files anew.
pub(crate) async fn given_up([mut one, mut other]: Stops) -> Problem {
    let why = tokio::select! {
        why = one.wait_for(Option::is_some) => why,
        why = other.wait_for(Option::is_some) => why,
    };
    let why = why.ok().and_then(|why| why.clone()).unwrap_or(StoreError::Closed);
    let message = format!("the store has stopped and takes nothing more: {why}");
    Problem::new(why.code(), message, "start it again; what was committed is there")
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::Code;

    #[tokio::test]
    async fn a_store_that_takes_nothing_more_stops_its_server_and_says_why() {
        let (_journal, journal) = watch::channel(None);
        let (tells, agent) = watch::channel(None);
        let mut stopped = Box::pin(given_up([journal, agent]));
        let still = std::time::Duration::from_millis(10);
        assert!(tokio::time::timeout(still, &mut stopped).await.is_err(), "it goes on until then");
        let cause = "no answer".to_owned();
        tells.send_replace(Some(StoreError::Io {
            file: "agent.db".into(),
            doing: "writing",
            cause,
        }));
        let problem = stopped.await;
        assert_eq!(problem.code, Code::StoreIo);
        assert!(problem.message.ends_with("writing agent.db failed: no answer"), "{problem:?}");
    }
}
