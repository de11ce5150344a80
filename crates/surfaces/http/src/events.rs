//! An answer as server-sent events: what is told while a run is under way, each piece with the name by
//! which whoever comes back can say what they have, and at the end what came of it.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use api_types::{ChunkReply, ProblemReply, Request, TurnEndReply};
use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Frame};
use hyper::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{HeaderMap, Response};
use router::{Ended, Heard, Hearing, Router};
use serde_json::{Value, json};
use tokio::time::timeout;
use types::Problem;

use crate::limits::SILENT;
use crate::problem::Sent;

const KIND: &str = "text/event-stream";
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Whether events are wanted; and the last one that whoever asks has.
pub(crate) fn wanted(headers: &HeaderMap) -> Option<Option<&str>> {
    let accepts = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut kinds = accepts.flat_map(|value| value.split(','));
    let is = |kind: &str| {
        let (kind, _) = kind.split_once(';').unwrap_or((kind, ""));
        kind.trim().eq_ignore_ascii_case(KIND)
    };
    kinds.any(is).then(|| headers.get(LAST_EVENT_ID).and_then(|value| value.to_str().ok()))
}

/// Answers with events.
pub(crate) async fn stream(
    router: &Router,
    request: Request,
    after: Option<&str>,
) -> Result<Response<Sent>, Problem> {
    let hearing = router.hear(request, after).await?;
    let events =
        Events { waiting: Some(wait(hearing)), first: Some(event("text-start", &json!({}))) };
    let mut response = Response::new(events.boxed_unsync());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(KIND));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Events as they come.
struct Events {
    /// What is sent before anything is waited for.
    first: Option<String>,
    /// The next one; none after the last.
    waiting: Option<Waiting>,
}

type Waiting = Pin<Box<dyn Future<Output = (Hearing, Next)> + Send>>;

/// What came; nothing if it was silent for so long that somebody might wonder.
type Next = Option<Result<Option<Heard>, Problem>>;

fn wait(mut hearing: Hearing) -> Waiting {
    Box::pin(async move {
        let next = timeout(SILENT, hearing.next()).await.ok();
        (hearing, next)
    })
}

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = |text: String| Poll::Ready(Some(Ok(Frame::data(Bytes::from(text)))));
        if let Some(first) = self.first.take() {
            return frame(first);
        }
        let Some(waiting) = &mut self.waiting else { return Poll::Ready(None) };
        let Poll::Ready((hearing, next)) = waiting.as_mut().poll(cx) else { return Poll::Pending };
        self.waiting = None;
        match next {
            None => {
                self.waiting = Some(wait(hearing));
                frame(": still here\n\n".to_owned())
            }
            Some(Ok(Some(Heard::Chunk(chunk)))) => {
                self.waiting = Some(wait(hearing));
                frame(piece(&chunk))
            }
            Some(Ok(Some(Heard::End(ended)))) => frame(end(ended)),
            Some(Ok(None)) => Poll::Ready(None),
            Some(Err(problem)) => frame(event("error", &json!(ProblemReply::from(problem)))),
        }
    }
}

/// A piece, with its name.
fn piece(chunk: &ChunkReply) -> String {
    let mut all = serde_json::to_value(chunk).expect("pieces are JSON");
    let mut data = all["data"].take();
    data["round"] = json!(chunk.round);
    let name = all["event"].as_str().unwrap_or_default();
    format!("id: {}\n{}", chunk.id, event(name, &data))
}

/// The end: `finish` only if a turn is on record that came to a result.
fn end(ended: Ended) -> String {
    let Ended { answer, kind, turn } = ended;
    let kind = kind.unwrap_or_default();
    match (kind.as_str(), turn) {
        ("result", Some(turn)) => finish(&turn, &answer),
        ("failure", _) => {
            let (text, failure) = (&answer["brief"]["text"], &answer["brief"]["failure"]);
            let code = failure.get("kind");
            event("error", &json!({ "code": code, "message": text, "answer": answer }))
        }
        (other, _) => event(other, &json!({ "answer": answer })),
    }
}

fn finish(turn: &TurnEndReply, answer: &Value) -> String {
    let usage = json!({ "inputTokens": turn.tokens_in, "outputTokens": turn.tokens_out });
    let last = json!({ "turnId": turn.turn, "turnIndex": turn.index, "answer": answer });
    event("text-end", &json!({ "usage": usage })) + &event("finish", &last)
}

/// One event. JSON has no line breaks, so its data is one line.
fn event(name: &str, data: &Value) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use api_types::LiveEvent;

    #[test]
    fn events_are_wanted_if_they_are_accepted_and_the_last_one_is_named() {
        let of = |pairs: &[(HeaderName, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.append(name, HeaderValue::from_static(value));
            }
            wanted(&headers).map(|after| after.map(str::to_owned))
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(ACCEPT, "application/json, */*")]), None);
        assert_eq!(of(&[(ACCEPT, "text/event-stream")]), Some(None));
        let both = [(ACCEPT, "application/json, Text/Event-Stream;q=0.9"), (LAST_EVENT_ID, "0.7")];
        assert_eq!(of(&both), Some(Some("0.7".to_owned())));
    }

    #[test]
    fn a_piece_is_named_and_in_one_line_whatever_it_says() {
        let delta = "two\nlines\r\ndata: none".to_owned();
        let chunk = ChunkReply {
            run_key: "r".to_owned(),
            id: "1.4".to_owned(),
            round: 2,
            what: LiveEvent::TextDelta { delta },
        };
        let told = piece(&chunk);
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!((lines.len(), lines[0], lines[1]), (4, "id: 1.4", "event: text-delta"));
        let data: Value = serde_json::from_str(lines[2].strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(data, json!({ "delta": "two\nlines\r\ndata: none", "round": 2 }));
    }

    #[test]
    fn only_a_result_on_record_is_finished() {
        let turn =
            || Some(TurnEndReply { turn: "t".to_owned(), index: 3, tokens_in: 5, tokens_out: 7 });
        let told = |kind: &str, turn: Option<TurnEndReply>| {
            let answer = json!({ "brief": { "text": "words", "failure": { "kind": "timeout" } } });
            end(Ended { answer, kind: Some(kind.to_owned()), turn })
        };
        let names = |told: &str| -> Vec<String> {
            told.lines()
                .filter_map(|line| line.strip_prefix("event: "))
                .map(str::to_owned)
                .collect()
        };
        let result = told("result", turn());
        assert_eq!(names(&result), ["text-end", "finish"]);
        assert!(
            result.contains("\"inputTokens\":5") && result.contains("\"turnIndex\":3"),
            "{result}"
        );
        let failure = told("failure", turn());
        assert_eq!(names(&failure), ["error"]);
        assert!(failure.contains("\"code\":\"timeout\""), "{failure}");
        assert_eq!(names(&told("pending", None)), ["pending"]);
        assert_eq!(names(&told("nothing", None)), ["nothing"]);
    }
}
