//! What the transport knows of a failure: how far it got, never what was sent or said.

use std::error::Error as StdError;

use egress::Error;
use types::{ModelFailureKind as Kind, TransportDiagnostics};

use crate::answer::{Miss, Wrong};

/// Layers of an error that are kept, and characters of each.
const CHAIN_MAX: usize = 8;
const LINK_CHARS_MAX: usize = 200;

impl Miss {
    /// The request got as far as this and was stopped by ourselves.
    pub(crate) fn stopped(stage: &str, kind: Kind, message: String) -> Miss {
        let diagnostics = TransportDiagnostics { stage: stage.to_owned(), ..Default::default() };
        Miss {
            kind,
            message,
            status: None,
            retry_after_ms: None,
            usage: None,
            diagnostics: Box::new(diagnostics),
        }
    }

    /// The way out failed.
    pub(crate) fn by_way_out(error: &Error, url: &str, status: Option<u16>) -> Miss {
        let status = match error {
            Error::Redirected { status } => Some(*status),
            _ => status,
        };
        let diagnostics = TransportDiagnostics {
            stage: error.stage().as_str().to_owned(),
            url: Some(url.to_owned()),
            status,
            is_timeout: matches!(error, Error::Timeout { .. }),
            is_connect: matches!(error, Error::Connect { .. }),
            is_request: matches!(error, Error::Send { .. }),
            is_body: matches!(error, Error::Body { .. }),
            is_decode: matches!(error, Error::TooLong { .. }),
            is_redirect: matches!(error, Error::Redirected { .. }),
            source_chain: chain(error),
        };
        Miss {
            kind: kind(error),
            message: error.to_string(),
            status,
            retry_after_ms: None,
            usage: None,
            diagnostics: Box::new(diagnostics),
        }
    }

    /// What came is no answer.
    pub(crate) fn by_answer(wrong: Wrong, url: &str, status: u16) -> Miss {
        let broken = wrong.kind == Kind::Broken;
        let diagnostics = TransportDiagnostics {
            stage: if broken { "body" } else { "decode" }.to_owned(),
            url: Some(url.to_owned()),
            status: Some(status),
            is_body: broken,
            is_decode: wrong.kind == Kind::InvalidResponse,
            ..Default::default()
        };
        Miss {
            kind: wrong.kind,
            message: wrong.message,
            status: Some(status),
            retry_after_ms: None,
            usage: wrong.usage,
            diagnostics: Box::new(diagnostics),
        }
    }

    /// The provider answered with an error.
    pub(crate) fn by_status(status: u16, kind: Kind, said: &str, url: &str) -> Miss {
        let diagnostics = TransportDiagnostics {
            stage: "headers".to_owned(),
            url: Some(url.to_owned()),
            status: Some(status),
            is_timeout: kind == Kind::Timeout,
            ..Default::default()
        };
        let said = if said.is_empty() { String::new() } else { format!(": {said}") };
        Miss {
            kind,
            message: format!("answered with status {status}{said}"),
            status: Some(status),
            retry_after_ms: None,
            usage: None,
            diagnostics: Box::new(diagnostics),
        }
    }
}

fn kind(error: &Error) -> Kind {
    match error {
        error if error.is_denied() => Kind::NetworkDenied,
        Error::Timeout { .. } => Kind::Timeout,
        Error::Body { .. } => Kind::Broken,
        Error::TooLong { .. } => Kind::InvalidResponse,
        _ => Kind::Connection,
    }
}

/// What lies beneath, outermost first.
fn chain(error: &Error) -> Vec<String> {
    let mut links = Vec::new();
    let mut beneath = error.source();
    while let Some(link) = beneath.filter(|_| links.len() < CHAIN_MAX) {
        links.push(link.to_string().chars().take(LINK_CHARS_MAX).collect());
        beneath = link.source();
    }
    links
}
