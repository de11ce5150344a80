//! Who is let in over HTTP.
//!
//! A page in a browser can make the browser send requests to this machine. It cannot hide two things:
//! the name under which it found the machine (`Host`) and where it came from itself (`Origin`). Both
//! have to be ours, so a name that somebody made point here leads nowhere. The token keeps out the rest.

use std::net::SocketAddr;

use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN};
use hyper::http::uri::{Authority, Uri};
use types::{Code, Problem};

use crate::token::Token;

/// Lets in who asks for this address by its own name and comes from nowhere else.
pub(crate) fn same_origin(
    uri: &Uri,
    headers: &HeaderMap,
    address: SocketAddr,
) -> Result<(), Problem> {
    let host = only(headers, &HOST);
    let named = uri.authority().map(Authority::as_str);
    let ours = |host: &str| is_ours(host, address);
    if !host.is_some_and(ours) || !named.is_none_or(ours) {
        let mut names = host.into_iter().chain(named);
        let asked = names.find(|name| !ours(name)).unwrap_or("nobody");
        return Err(foreign(format!("the request is for {asked:?}, not for this server"), address));
    }
    if headers.contains_key(ORIGIN)
        && !only(headers, &ORIGIN).and_then(|o| o.strip_prefix("http://")).is_some_and(ours)
    {
        return Err(foreign("the request comes from a page of somebody else".to_owned(), address));
    }
    Ok(())
}

/// Lets in who has the token.
pub(crate) fn token(headers: &HeaderMap, token: &Token) -> Result<(), Problem> {
    let said = only(headers, &AUTHORIZATION).and_then(|said| said.split_once(' '));
    match said {
        Some((scheme, said)) if scheme.eq_ignore_ascii_case("bearer") && token.is(said.trim()) => {
            Ok(())
        }
        _ => {
            let message = match headers.contains_key(AUTHORIZATION) {
                true => "the token is not this server's",
                false => "the request has no token",
            };
            let hint = "send `Authorization: Bearer TOKEN` with the token from server.token in the \
                        home";
            Err(Problem::new(Code::BadToken, message, hint))
        }
    }
}

/// Whether a name with its port means this address.
fn is_ours(host: &str, address: SocketAddr) -> bool {
    let port = address.port();
    // Where the port goes without saying, it is left out.
    let (name, said) = match host.rsplit_once(':') {
        Some((name, said)) if !said.ends_with(']') => (name, said.parse().ok()),
        _ => (host, Some(80)),
    };
    let by_number = match address {
        SocketAddr::V4(v4) => v4.ip().to_string(),
        SocketAddr::V6(v6) => format!("[{}]", v6.ip()),
    };
    said == Some(port) && (name == by_number || name.eq_ignore_ascii_case("localhost"))
}

/// The value of a header that is there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    if values.next().is_some() { None } else { first.to_str().ok() }
}

fn foreign(message: String, address: SocketAddr) -> Problem {
    let hint = format!("speak to http://{address} itself, and not from a page of another site");
    Problem::new(Code::ForeignOrigin, message, hint)
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
