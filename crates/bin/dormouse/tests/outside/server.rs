//! A server of the program, and speaking to it without the program.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};

use serde_json::Value;

use crate::shell::Shell;

/// A running server. Killed when dropped, unless it was stopped before.
pub(crate) struct Server {
    child: Child,
    /// What it said when it was ready.
    pub(crate) ready: Value,
}

/// An answer over HTTP.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl Server {
    /// Starts one on the home of a shell and waits until it is ready.
    pub(crate) fn start(shell: &Shell) -> Server {
        Server::wait(Server::spawn(&mut shell.command(&["serve", "--listen", "127.0.0.1:0"])))
    }

    pub(crate) fn spawn(command: &mut Command) -> Child {
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }

    pub(crate) fn wait(mut child: Child) -> Server {
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        Server { child, ready: serde_json::from_str(&line).unwrap() }
    }

    pub(crate) fn process(&self) -> String {
        self.child.id().to_string()
    }

    /// As host and port.
    pub(crate) fn address(&self) -> &str {
        self.ready["listening"].as_str().unwrap().strip_prefix("http://").unwrap()
    }

    pub(crate) fn token(&self) -> String {
        let file = self.ready["token_file"].as_str().unwrap();
        fs::read_to_string(file).unwrap().trim().to_owned()
    }

    /// Tells it to stop and does not wait.
    pub(crate) fn tell_to_stop(&self) {
        let told = Command::new("kill").args(["-TERM", &self.process()]).status().unwrap();
        assert!(told.success());
    }

    /// Stops it as a person would; says how it ended and what else it has said.
    pub(crate) fn stop(self) -> (ExitStatus, String) {
        self.tell_to_stop();
        self.end()
    }

    /// Waits until it has stopped.
    pub(crate) fn end(mut self) -> (ExitStatus, String) {
        let ended = self.child.wait().unwrap();
        let mut rest = String::new();
        self.child.stdout.as_mut().unwrap().read_to_string(&mut rest).unwrap();
        (ended, rest)
    }

    /// Lets the machine take it away.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks over HTTP with a head of the test's own.
    #[expect(clippy::disallowed_methods, reason = "a test asks its own server")]
    pub(crate) fn http(&self, head: &str, body: &[u8]) -> Answered {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(b"\r\n").unwrap();
        // A server that refuses before it has read everything may have hung up already.
        let _ = stream.write_all(body);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        Answered {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head: head.to_lowercase(),
            body: serde_json::from_str(body).unwrap(),
        }
    }

    /// Calls as a program would that has the token, with lines of the head besides.
    pub(crate) fn call(&self, besides: &str, body: &str) -> Answered {
        let (host, token, length) = (self.address(), self.token(), body.len());
        let head = format!(
            "POST /v1/call HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Authorization: Bearer {token}\r\nContent-Length: {length}\r\n{besides}"
        );
        self.http(&head, body.as_bytes())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answered {
    /// Expects a problem of this status and code, with everything that a problem has.
    pub(crate) fn refused(&self, status: u16, code: &str) {
        assert_eq!((self.status, &self.body["code"]), (status, &code.into()), "{self:?}");
        assert!(self.head.contains("application/problem+json"), "{self:?}");
        assert_eq!(self.body["status"], status);
        for field in ["type", "title", "detail", "hint"] {
            assert!(!self.body[field].as_str().unwrap().is_empty(), "{field}: {self:?}");
        }
    }
}
