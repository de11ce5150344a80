//! The program serving a home, in a process that will be killed.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::Violation;

/// Longer than any start: whoever needs more hangs.
const START_MAX: Duration = Duration::from_secs(60);

/// A running server. Killed when dropped.
pub(crate) struct Serving {
    child: Child,
    ready: Receiver<String>,
}

impl Serving {
    /// Starts one and does not wait.
    pub(crate) fn spawn(program: &Path, home: &Path) -> io::Result<Serving> {
        let mut child = Command::new(program)
            .arg("--home")
            .arg(home)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let output = child.stdout.take().expect("the output is piped");
        let (sender, ready) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                // The receiver may have given up; then nobody needs the line.
                let _ = sender.send(line);
            }
        });
        Ok(Serving { child, ready })
    }

    /// Waits until it can be spoken to.
    pub(crate) fn wait_until_ready(&mut self) -> Result<(), Violation> {
        let how = match self.ready.recv_timeout(START_MAX) {
            Ok(_) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => "is not ready after a minute".to_owned(),
            Err(RecvTimeoutError::Disconnected) => "ended by itself".to_owned(),
        };
        Err(Violation::Broken { what: "a server that nobody had killed yet", how })
    }

    /// Lets it live for a while; says so if it ends by itself.
    pub(crate) fn live(&mut self, life: Duration) -> Result<(), Violation> {
        match self.ready.recv_timeout(life) {
            Err(RecvTimeoutError::Disconnected) => Err(Violation::Broken {
                what: "a server that nobody had killed yet",
                how: "ended by itself".to_owned(),
            }),
            Ok(_) | Err(RecvTimeoutError::Timeout) => Ok(()),
        }
    }

    /// Kills it, whatever it is doing.
    pub(crate) fn kill(mut self) -> io::Result<()> {
        self.child.kill()?;
        self.child.wait().map(drop)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
