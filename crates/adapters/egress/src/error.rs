//! How a way out fails.

use std::error::Error as StdError;
use std::io;
use std::net::IpAddr;

/// What lies beneath a failure.
type Cause = Box<dyn StdError + Send + Sync>;

/// How far a request got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// It was not let out.
    Egress,
    /// A connection was being opened.
    Connect,
    /// It was being sent.
    Send,
    /// The head of the answer was awaited.
    Headers,
    /// The answer was being read.
    Body,
}

impl Stage {
    /// The stage as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Stage::Egress => "egress",
            Stage::Connect => "connect",
            Stage::Send => "send",
            Stage::Headers => "headers",
            Stage::Body => "body",
        }
    }
}

/// How a way out fails. No text holds what was sent or what was answered.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No address.
    #[error("the address cannot be used: {reason}")]
    BadUrl {
        /// Why.
        reason: String,
    },
    /// The destination is not among those that are allowed. Nothing was looked up.
    #[error("{destination} is not a destination that is allowed")]
    Denied {
        /// Which.
        destination: String,
    },
    /// The name leads to an address that it must not have. Nothing was connected.
    #[error("{host} leads to {address}, which is not where it may lead")]
    Misled {
        /// The name.
        host: String,
        /// Where it leads.
        address: IpAddr,
    },
    /// The answer sends elsewhere.
    #[error("the answer sends elsewhere, which is not followed")]
    Redirected {
        /// Its status.
        status: u16,
    },
    /// No connection.
    #[error("no connection to {destination}")]
    Connect {
        /// Where to.
        destination: String,
        /// Why.
        #[source]
        source: Cause,
    },
    /// Not in time.
    #[error("no answer in time")]
    Timeout {
        /// How far it got.
        stage: Stage,
    },
    /// The request could not be sent, or the connection ended before an answer began.
    #[error("the connection ended before an answer")]
    Send {
        /// Why.
        #[source]
        source: Cause,
    },
    /// The answer broke off.
    #[error("the answer broke off")]
    Body {
        /// Why.
        #[source]
        source: Cause,
    },
    /// The answer is too long.
    #[error("the answer is longer than {bytes_max} bytes")]
    TooLong {
        /// How long it may be.
        bytes_max: usize,
    },
}

impl Error {
    /// How far it got.
    #[must_use]
    pub const fn stage(&self) -> Stage {
        match self {
            Error::BadUrl { .. } | Error::Denied { .. } | Error::Misled { .. } => Stage::Egress,
            Error::Connect { .. } => Stage::Connect,
            Error::Send { .. } => Stage::Send,
            Error::Redirected { .. } => Stage::Headers,
            Error::Timeout { stage } => *stage,
            Error::Body { .. } | Error::TooLong { .. } => Stage::Body,
        }
    }

    /// Whether it was kept from going where it wanted to go.
    #[must_use]
    pub const fn is_denied(&self) -> bool {
        matches!(
            self,
            Error::BadUrl { .. }
                | Error::Denied { .. }
                | Error::Misled { .. }
                | Error::Redirected { .. }
        )
    }
}

/// No connection, with the reason the system gives.
pub(crate) fn unconnected(destination: &crate::Destination, source: io::Error) -> Error {
    Error::Connect { destination: destination.to_string(), source: Box::new(source) }
}
