//! The local socket: a request a line, an answer a line.

use std::future::pending;
use std::io::{self, ErrorKind};
use std::os::fd::AsFd;
use std::pin::pin;

use api_types::{Answer, Request};
use router::{Heard, Router};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Interest};
use tokio::net::UnixStream;
use tokio::net::unix::ReadHalf;
use tokio::time::timeout;
use types::Problem;

use crate::limits::{HEAD_WAITS, REQUEST_BYTES_MAX, TURNED_AWAY};
use crate::line::{self, Line};
use crate::read::{no_room, request, too_large};
use crate::room::Room;
use crate::stop::Stop;
use crate::taken::Taken;

/// Answers one connection until it ends, or the server stops and nothing more is asked. Whoever has
/// gone away needs no answer: what was asked is done all the same, and nothing is waited for.
pub(crate) async fn talk(mut stream: UnixStream, router: Router, room: Room, stop: Stop) {
    let (read, write) = stream.split();
    let (mut read, mut write) = (BufReader::new(read), Taken::new(write));
    let mut over = pin!(stop.lingered());
    loop {
        let begun = tokio::select! {
            biased;
            begun = timeout(HEAD_WAITS, read.fill_buf()) => matches!(begun, Ok(Ok([_, ..]))),
            () = room.wanted() => return,
            () = &mut over => return,
        };
        // Whoever asks for nothing for so long can come back.
        if !begun {
            return;
        }
        let line = tokio::select! {
            biased;
            line = timeout(HEAD_WAITS, line::read(&mut read, REQUEST_BYTES_MAX)) => line,
            () = &mut over => return,
        };
        let Ok(line) = line else { return };
        let asked = match line {
            Ok(Some(Line::Whole(bytes))) => request(&bytes),
            Ok(Some(Line::TooLong)) => Err(too_large()),
            Ok(None) | Err(_) => return,
        };
        let answered = match asked {
            Ok(request) if request.waits() || request.follows() => {
                wait(&router, request, &mut read, &mut write).await
            }
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

/// Says that there is no room for one more connection.
pub(crate) async fn turn_away(mut stream: UnixStream) {
    let told = async {
        say(&mut stream, &Answer::Error(no_room().into())).await?;
        stream.shutdown().await?;
        // What was asked is taken in, or the word would be lost with it.
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await
    };
    // Whoever is too slow to hear it was told by being hung up on.
    let _ = timeout(TURNED_AWAY, told).await;
}

/// Waits for what comes of a request, as long as whoever asked does. What is told while it is under way goes out
/// a piece a line, if that is wanted.
async fn wait(
    router: &Router,
    request: Request,
    from: &mut BufReader<ReadHalf<'_>>,
    to: &mut (impl AsyncWriteExt + Unpin),
) -> io::Result<Result<Value, Problem>> {
    if !request.comes_in_pieces() {
        return unless_gone(from, router.answer(request)).await;
    }
    let told = request.follows();
    // To its end: from here on the run is there, whoever still wants to hear of it.
    let mut hearing = match router.hear(request, None).await {
        Ok(hearing) => hearing,
        Err(problem) => return Ok(Err(problem)),
    };
    loop {
        match unless_gone(from, hearing.next()).await? {
            Ok(Some(Heard::Chunk(chunk))) if told => say(to, &Answer::Chunk(chunk)).await?,
            Ok(Some(Heard::Chunk(_))) => {}
            Ok(Some(Heard::End(ended))) => return Ok(Ok(ended.answer)),
            Ok(None) => return Ok(Ok(Value::Null)),
            Err(problem) => return Ok(Err(problem)),
        }
    }
}

/// What is waited for, unless whoever waits for it hangs up first.
async fn unless_gone<T>(
    from: &mut BufReader<ReadHalf<'_>>,
    awaited: impl Future<Output = T>,
) -> io::Result<T> {
    // Looking for more to read takes nothing away.
    tokio::select! {
        biased;
        came = awaited => Ok(came),
        gone = hung_up(from) => Err(gone),
    }
}

/// Ends when the other side is gone. One that only has nothing more to ask still waits for its answer, and one
/// that has asked for more already is there.
async fn hung_up(from: &mut BufReader<ReadHalf<'_>>) -> io::Error {
    let said_all = match from.fill_buf().await {
        Ok(more) => more.is_empty(),
        Err(error) => return error,
    };
    match said_all {
        true => gone(from.get_ref().as_ref()).await.unwrap_or_else(|error| error),
        false => pending().await,
    }
}

/// Ends when the other side takes nothing any more. It is watched through a handle of its own: that the connection can
/// be written to is no news here, and to forget it would keep whoever writes from knowing it.
async fn gone(stream: &UnixStream) -> io::Result<io::Error> {
    let handle = stream.as_fd().try_clone_to_owned()?;
    let watched = UnixStream::from_std(handle.into())?;
    loop {
        if watched.ready(Interest::WRITABLE).await?.is_write_closed() {
            return Ok(ErrorKind::BrokenPipe.into());
        }
        // Until something else is the case, nothing is to be heard of it.
        let _ = watched.try_io(Interest::WRITABLE, || Err::<(), _>(ErrorKind::WouldBlock.into()));
    }
}

async fn say(to: &mut (impl AsyncWriteExt + Unpin), answer: &Answer) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer).expect("answers are JSON");
    line.push(b'\n');
    to.write_all(&line).await
}
