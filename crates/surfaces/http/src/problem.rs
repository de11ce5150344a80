//! Answers of HTTP: a value, or a problem as RFC 9457 has it.

use std::convert::Infallible;

use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Response, StatusCode};
use serde::Serialize;
use types::{Code, Problem};

use crate::status;

/// The body of an answer, whole or piece by piece.
pub(crate) type Sent = UnsyncBoxBody<Bytes, Infallible>;

/// A request that is not answered, with the status that says so.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) status: StatusCode,
    pub(crate) problem: Problem,
    /// What can be done there instead, if the place is right and only the method is not.
    pub(crate) allow: Option<&'static str>,
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Refused {
        Refused { status: status::of(problem.code), problem, allow: None }
    }
}

/// A problem on the wire. `detail` and `hint` are for people and may be reworded; `code` stays.
#[derive(Serialize)]
struct Body<'a> {
    r#type: String,
    title: String,
    status: u16,
    code: &'static str,
    detail: &'a str,
    hint: &'a str,
}

/// Says what was asked for.
pub(crate) fn ok<T: Serialize>(value: &T) -> Response<Sent> {
    respond(StatusCode::OK, "application/json", value)
}

/// Says why not.
pub(crate) fn refuse(refused: &Refused) -> Response<Sent> {
    let Refused { status, problem, allow } = refused;
    let code = problem.code.as_str();
    let body = Body {
        r#type: format!("urn:dormouse:error:{code}"),
        title: code.replace('_', " "),
        status: status.as_u16(),
        code,
        detail: &problem.message,
        hint: &problem.hint,
    };
    let mut response = respond(*status, "application/problem+json", &body);
    if problem.code == Code::BadToken {
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(methods) = allow {
        response.headers_mut().insert(ALLOW, HeaderValue::from_static(methods));
    }
    response
}

fn respond<T: Serialize>(status: StatusCode, kind: &'static str, value: &T) -> Response<Sent> {
    let body = serde_json::to_vec(value).expect("answers are JSON");
    let mut response = Response::new(Full::new(Bytes::from(body)).boxed_unsync());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
