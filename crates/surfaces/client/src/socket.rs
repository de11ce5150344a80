//! The local socket of a running server.

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

use api_types::{Answer, ProblemReply, Request};
use serde_json::Value;

use crate::place;
use crate::{Hear, Transport};

/// A connection to a running server: a request a line, an answer a line.
pub struct Socket {
    stream: RefCell<BufReader<UnixStream>>,
}

impl Socket {
    /// Finds the running server of a home. None if nobody listens: a file that a killed server left
    /// behind is passed over.
    #[must_use]
    pub fn find(home: &Path) -> Option<Socket> {
        let stream = UnixStream::connect(place::find(home)?).ok()?;
        Some(Socket { stream: RefCell::new(BufReader::new(stream)) })
    }

    fn ask(&self, request: &Request, hear: Hear<'_>) -> io::Result<Result<Value, ProblemReply>> {
        let mut line = serde_json::to_vec(request)?;
        line.push(b'\n');
        let mut stream = self.stream.borrow_mut();
        stream.get_mut().write_all(&line)?;
        loop {
            let mut answer = String::new();
            stream.read_line(&mut answer)?;
            if !answer.ends_with('\n') {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            match serde_json::from_str(&answer)? {
                Answer::Chunk(chunk) => hear(&chunk),
                Answer::Ok(value) => return Ok(Ok(value)),
                Answer::Error(problem) => return Ok(Err(problem)),
            }
        }
    }
}

impl Transport for Socket {
    fn send(&self, request: Request) -> Result<Value, ProblemReply> {
        self.follow(request, &mut |_| ())
    }

    fn follow(&self, request: Request, hear: Hear<'_>) -> Result<Value, ProblemReply> {
        match self.ask(&request, hear) {
            Ok(answered) => answered,
            Err(error) => Err(ProblemReply {
                code: "server_gone".to_owned(),
                message: format!(
                    "the server went away before it had answered ({error}); it is not known whether \
                     it was done"
                ),
                hint: "look whether it was done before you try again; with --request-id a command \
                       can be repeated safely"
                    .to_owned(),
            }),
        }
    }

    /// A running server does it by itself.
    fn settle(&self) -> Result<usize, ProblemReply> {
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;
    use std::thread;

    /// A server that answers each connection's first line with these words and hangs up.
    fn server(home: &Path, answers: [&'static str; 5]) -> thread::JoinHandle<Vec<String>> {
        let listener = UnixListener::bind(home.join("dormouse.sock")).unwrap();
        thread::spawn(move || {
            let mut heard = Vec::new();
            for answer in answers {
                let mut stream = BufReader::new(listener.accept().unwrap().0);
                let mut line = String::new();
                stream.read_line(&mut line).unwrap();
                heard.push(line);
                stream.get_mut().write_all(answer.as_bytes()).unwrap();
            }
            heard
        })
    }

    #[test]
    fn answers_come_back_and_a_server_that_hangs_up_is_gone() {
        let home = tempfile::tempdir().unwrap();
        assert!(Socket::find(home.path()).is_none());
        let error = "{\"error\":{\"code\":\"c\",\"message\":\"m\",\"hint\":\"h\"}}\n";
        // Without its end, an answer may be half of one.
        let server = server(home.path(), ["{\"ok\":[1,2]}\n", error, "{\"ok\":12", "\n", ""]);
        let ask =
            || Socket::find(home.path()).unwrap().send(Request::AgentList {}).map_err(|p| p.code);
        assert_eq!(ask(), Ok(serde_json::json!([1, 2])));
        assert_eq!(ask(), Err("c".to_owned()));
        for _ in 0..3 {
            assert_eq!(ask(), Err("server_gone".to_owned()));
        }
        assert_eq!(server.join().unwrap(), ["{\"call\":\"agent_list\"}\n"; 5]);
        assert!(Socket::find(home.path()).is_none(), "nobody listens at what was left");
    }
}
