//! Loopback HTTP: a request a call.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use router::Router;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use types::{Code, Problem};

use crate::events::{self, wanted};
use crate::guard;
use crate::limits::{BODY_WAITS, HEAD_WAITS, REQUEST_BYTES_MAX, TURNED_AWAY};
use crate::problem::{Refused, Sent, ok, refuse};
use crate::read::{no_room, request as request_of, too_large};
use crate::stop::Stop;
use crate::taken::Taken;
use crate::token::Token;

/// What every connection is answered with.
pub(crate) struct Desk {
    pub(crate) router: Router,
    pub(crate) token: Token,
    pub(crate) address: SocketAddr,
}

/// Answers one connection until it ends, or the server stops and what was asked is answered.
pub(crate) async fn serve(stream: TcpStream, desk: Arc<Desk>, stop: Stop) {
    // Small answers that somebody waits for; if it cannot be set, they are a little late.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let desk = Arc::clone(&desk);
        async move { Ok::<_, Infallible>(respond(&desk, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WAITS)
        .serve_connection(TokioIo::new(Taken::new(stream)), service);
    let mut connection = pin!(connection);
    // A connection that breaks is its caller's affair.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = stop.begun() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Says that there is no room for one more connection.
pub(crate) async fn turn_away(stream: TcpStream) {
    let service =
        service_fn(|_: Request<Incoming>| async { Ok::<_, Infallible>(refuse(&no_room().into())) });
    let mut http = http1::Builder::new();
    let said = http.keep_alive(false).serve_connection(TokioIo::new(stream), service);
    // Whoever is too slow to hear it was told by being hung up on.
    let _ = timeout(TURNED_AWAY, said).await;
}

async fn respond(desk: &Desk, request: Request<Incoming>) -> Response<Sent> {
    route(desk, request).await.unwrap_or_else(|refused| refuse(&refused))
}

async fn route(desk: &Desk, request: Request<Incoming>) -> Result<Response<Sent>, Refused> {
    guard::same_origin(request.uri(), request.headers(), desk.address)?;
    match (request.uri().path(), request.method()) {
        ("/v1/health", &Method::GET | &Method::HEAD) => Ok(ok(&json!({ "ok": true }))),
        ("/v1/call", &Method::POST) => {
            // Before a byte of the body is read.
            guard::token(request.headers(), &desk.token)?;
            let (head, sent) = request.into_parts();
            let asked = request_of(&body(sent).await?)?;
            match way(&asked, &head.headers) {
                Way::InPieces { after } => Ok(events::stream(&desk.router, asked, after).await?),
                Way::WhileAwaited => Ok(ok(&desk.router.answer(asked).await?)),
                Way::ToItsEnd => Ok(ok(&to_its_end(&desk.router, asked).await?)),
            }
        }
        ("/v1/health", method) => Err(otherwise(method, "GET, HEAD")),
        ("/v1/call", method) => Err(otherwise(method, "POST")),
        (path, _) => Err(nowhere(StatusCode::NOT_FOUND, &format!("there is nothing at {path}"))),
    }
}

/// How a request is answered.
#[derive(Debug, PartialEq, Eq)]
enum Way<'a> {
    /// As events, after the last one that whoever asks has.
    InPieces { after: Option<&'a str> },
    /// While somebody waits for the answer.
    WhileAwaited,
    /// Whether or not anybody still waits for the answer.
    ToItsEnd,
}

/// Who accepts events gets them where there are any. Everything else is answered as ever, so that nothing is
/// cut short by what its caller accepts.
fn way<'a>(asked: &api_types::Request, headers: &'a HeaderMap) -> Way<'a> {
    match wanted(headers) {
        Some(after) if asked.comes_in_pieces() => Way::InPieces { after },
        _ if asked.waits() => Way::WhileAwaited,
        _ => Way::ToItsEnd,
    }
}

/// Does what was asked to its end, also if whoever asked hangs up meanwhile: half a stop is none.
async fn to_its_end(router: &Router, asked: api_types::Request) -> Result<Value, Problem> {
    let router = router.clone();
    match tokio::spawn(async move { router.answer(asked).await }).await {
        Ok(answered) => answered,
        Err(ended) => match ended.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => std::future::pending().await,
        },
    }
}

async fn body(body: Incoming) -> Result<Bytes, Problem> {
    // Whoever says beforehand that it is too long need not send it.
    if body.size_hint().lower() > REQUEST_BYTES_MAX as u64 {
        return Err(too_large());
    }
    let broke_off = |why: &dyn std::fmt::Display| {
        let message = format!("the request broke off: {why}");
        Problem::new(Code::WrongUsage, message, "send it again; nothing was changed")
    };
    match timeout(BODY_WAITS, Limited::new(body, REQUEST_BYTES_MAX).collect()).await {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(error)) => Err(broke_off(&error)),
        Err(_) => Err(broke_off(&"the rest of it did not come")),
    }
}

/// There is something there, but it takes other methods.
fn otherwise(method: &Method, allow: &'static str) -> Refused {
    let refused = nowhere(StatusCode::METHOD_NOT_ALLOWED, &format!("{method} is not for this"));
    Refused { allow: Some(allow), ..refused }
}

fn nowhere(status: StatusCode, message: &str) -> Refused {
    let hint = "POST /v1/call takes a request, GET /v1/health says whether the server is there";
    Refused { status, problem: Problem::new(Code::WrongUsage, message, hint), allow: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::{ACCEPT, HeaderValue};

    #[test]
    fn what_cannot_be_told_in_pieces_is_done_to_its_end_whatever_its_caller_accepts() {
        let mut events = HeaderMap::new();
        events.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        let way = |call: &str, headers: &HeaderMap| {
            format!("{:?}", way(&request_of(call.as_bytes()).unwrap(), headers))
        };
        let stop = r#"{"call":"kill","on":true}"#;
        let prompt = r#"{"call":"prompt","agent":"a","text":"hello"}"#;
        let waits = r#"{"call":"prompt","agent":"a","text":"hello","wait_ms":5}"#;
        let drain = r#"{"call":"wake_drain"}"#;
        let of = |headers| [stop, prompt, waits, drain].map(|call| way(call, headers));
        let (pieces, awaited, end) = ("InPieces { after: None }", "WhileAwaited", "ToItsEnd");
        assert_eq!(of(&events), [end, pieces, pieces, awaited]);
        assert_eq!(of(&HeaderMap::new()), [end, end, awaited, awaited]);
    }
}
