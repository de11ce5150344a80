//! The local socket: a request a line, an answer a line.

use std::io;
use std::pin::pin;

use api_types::{Answer, Request};
use router::{Heard, Router};
use serde_json::Value;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use types::Problem;

use crate::limits::REQUEST_BYTES_MAX;
use crate::line::{self, Line};
use crate::read::{request, too_large};
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
        let asked = match line {
            Ok(Some(Line::Whole(bytes))) => request(&bytes),
            Ok(Some(Line::TooLong)) => Err(too_large()),
            Ok(None) | Err(_) => return,
        };
        let answered = match asked {
            Ok(request) if request.follows() => follow(&router, request, &mut write).await,
            Ok(request) => Ok(router.answer(request).await),
            Err(problem) => Ok(Err(problem)),
        };
        let Ok(answered) = answered else { return };
        let answer = match answered {
            Ok(value) => Answer::Ok(value),
            Err(problem) => Answer::Error(problem.into()),
        };
        if say(&mut write, &answer).await.is_err() {
            return;
        }
    }
}

/// Tells of something while it is under way, a piece a line; then the answer is known.
async fn follow(
    router: &Router,
    request: Request,
    to: &mut (impl AsyncWriteExt + Unpin),
) -> io::Result<Result<Value, Problem>> {
    let mut hearing = match router.hear(request, None).await {
        Ok(hearing) => hearing,
        Err(problem) => return Ok(Err(problem)),
    };
    loop {
        match hearing.next().await {
            Ok(Some(Heard::Chunk(chunk))) => say(to, &Answer::Chunk(chunk)).await?,
            Ok(Some(Heard::End(ended))) => return Ok(Ok(ended.answer)),
            Ok(None) => return Ok(Ok(Value::Null)),
            Err(problem) => return Ok(Err(problem)),
        }
    }
}

async fn say(to: &mut (impl AsyncWriteExt + Unpin), answer: &Answer) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer).expect("answers are JSON");
    line.push(b'\n');
    to.write_all(&line).await
}
