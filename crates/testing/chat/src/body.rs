//! From a reply to the bytes of an answer.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http_body_util::{Either, Full};
use hyper::Response;
use hyper::body::{Body, Bytes, Frame};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use tokio::time::{Sleep, sleep};

use crate::reply::{Manner, Reply, What};
use crate::{Asked, shape, stream};

/// What an answer is sent as: whole, or in pieces that may break off.
pub(crate) type Sent = Either<Full<Bytes>, Pieces>;

/// The answer to a request; none if there is to be none.
pub(crate) fn answer(asked: Option<&Asked>, reply: Reply) -> Option<Response<Sent>> {
    let (status, content_type, bytes) = match reply.what {
        What::Hang => return None,
        What::Raw { status, content_type, bytes } => (status, content_type, bytes),
        What::Said(said) => {
            let asked = asked.expect("only what was understood is answered with words");
            if asked.wants_stream() {
                let wire = stream::events(asked, &said).into_bytes();
                (200, "text/event-stream; charset=utf-8", wire)
            } else {
                (200, "application/json", shape::completion(asked, &said).to_string().into_bytes())
            }
        }
    };
    let mut response = Response::new(send(Bytes::from(bytes), reply.manner));
    *response.status_mut() = status.try_into().expect("scripts use statuses that exist");
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    if let Some(asked) = asked {
        let id = HeaderValue::from_str(&format!("req_{}", asked.n)).expect("a plain name");
        response.headers_mut().insert("x-request-id", id);
    }
    for (name, value) in reply.headers {
        let value = HeaderValue::from_str(&value).expect("scripts use values that can be sent");
        response.headers_mut().insert(name, value);
    }
    Some(response)
}

fn send(bytes: Bytes, manner: Manner) -> Sent {
    let cut = |bytes: &Bytes, size| {
        let starts = (0..bytes.len()).step_by(size);
        starts.map(|at| bytes.slice(at..bytes.len().min(at + size))).collect()
    };
    match manner {
        Manner::AtOnce => Either::Left(Full::new(bytes)),
        Manner::Cut { bytes: kept } => {
            let left = VecDeque::from([bytes.slice(..bytes.len().min(kept))]);
            let breaks = Some(Break::Waiting);
            Either::Right(Pieces { left, pause: Duration::ZERO, waits: None, breaks })
        }
        Manner::Pieces { bytes: size, pause } => {
            Either::Right(Pieces { left: cut(&bytes, size), pause, waits: None, breaks: None })
        }
    }
}

/// A body in pieces, with time between them, that may break off.
pub(crate) struct Pieces {
    left: VecDeque<Bytes>,
    pause: Duration,
    waits: Option<Pin<Box<Sleep>>>,
    breaks: Option<Break>,
}

/// How a body breaks off: only after what was said before has gone out.
enum Break {
    Waiting,
    Now,
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let pause = self.pause;
        let waits = self.waits.get_or_insert_with(|| Box::pin(sleep(pause)));
        ready!(waits.as_mut().poll(context));
        self.waits = None;
        if let Some(bytes) = self.left.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(bytes))));
        }
        match self.breaks {
            Some(Break::Waiting) => {
                // The connection sends what it has whenever there is nothing new.
                self.breaks = Some(Break::Now);
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Some(Break::Now) => {
                Poll::Ready(Some(Err(io::Error::other("cut off, as the script says"))))
            }
            None => Poll::Ready(None),
        }
    }
}
