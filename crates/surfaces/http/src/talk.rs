//! The local socket: a request a line, an answer a line.

use std::io;
use std::pin::pin;

use api_types::Answer;
use router::Router;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use types::Problem;

use crate::answer::{answer, too_large};
use crate::limits::REQUEST_BYTES_MAX;
use crate::line::{self, Line};
use crate::stop::Stop;

/// Answers one connection until it ends, or the server stops and nothing more is asked. Whoever has
/// gone away needs no answer; what was asked is done all the same.
pub(crate) async fn talk(mut stream: UnixStream, router: Router, stop: Stop) {
    let (read, mut write) = stream.split();
    let mut read = BufReader::new(read);
    let mut over = pin!(stop.lingered());
    loop {
        let line = tokio::select! {
            biased;
            line = line::read(&mut read, REQUEST_BYTES_MAX) => line,
            () = &mut over => return,
        };
        let answered = match line {
            Ok(Some(Line::Whole(bytes))) => answer(&router, &bytes).await,
            Ok(Some(Line::TooLong)) => Err(too_large()),
            Ok(None) | Err(_) => return,
        };
        if say(&mut write, answered).await.is_err() {
            return;
        }
    }
}

async fn say(
    to: &mut (impl AsyncWriteExt + Unpin),
    answered: Result<serde_json::Value, Problem>,
) -> io::Result<()> {
    let answer = match answered {
        Ok(value) => Answer::Ok(value),
        Err(problem) => Answer::Error(problem.into()),
    };
    let mut line = serde_json::to_vec(&answer).expect("answers are JSON");
    line.push(b'\n');
    to.write_all(&line).await
}
