//! What kind of failure it was, and what is done about it.

use types::{Code, ModelFailureKind};

/// What kind of failure ended a turn. The list is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureType {
    /// No answer in time.
    Timeout,
    /// Credentials were refused or could not be had.
    AuthenticationFailure,
    /// Too many requests.
    RateLimited,
    /// Somebody else failed.
    DependencyFailure,
    /// Something here is set up wrongly.
    ConfigurationError,
    /// The network failed.
    NetworkError,
}

impl FailureType {
    /// The type as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            FailureType::Timeout => "timeout",
            FailureType::AuthenticationFailure => "authentication_failure",
            FailureType::RateLimited => "rate_limited",
            FailureType::DependencyFailure => "dependency_failure",
            FailureType::ConfigurationError => "configuration_error",
            FailureType::NetworkError => "network_error",
        }
    }
}

/// What is done about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// The run is tried again, later each time; the provider's own time is honoured.
    Retry,
    /// A person has to do something first.
    Escalate,
}

/// What kind of failure it is that a model could not be reached so.
#[must_use]
pub const fn classify(kind: ModelFailureKind) -> FailureType {
    match kind {
        ModelFailureKind::Timeout => FailureType::Timeout,
        ModelFailureKind::Connection | ModelFailureKind::Broken => FailureType::NetworkError,
        ModelFailureKind::RateLimited => FailureType::RateLimited,
        ModelFailureKind::Authentication | ModelFailureKind::SecretUnavailable => {
            FailureType::AuthenticationFailure
        }
        ModelFailureKind::ServerError | ModelFailureKind::InvalidResponse => {
            FailureType::DependencyFailure
        }
        ModelFailureKind::BadRequest
        | ModelFailureKind::ContextLength
        | ModelFailureKind::UnsupportedTransport
        | ModelFailureKind::NetworkDenied => FailureType::ConfigurationError,
    }
}

/// What is done about it: only what may pass by itself is tried again.
#[must_use]
pub const fn strategy(kind: ModelFailureKind) -> Strategy {
    if kind.is_retryable() { Strategy::Retry } else { Strategy::Escalate }
}

/// The code that people see.
#[must_use]
pub const fn code(kind: ModelFailureKind) -> Code {
    match kind {
        ModelFailureKind::Timeout
        | ModelFailureKind::Connection
        | ModelFailureKind::Broken
        | ModelFailureKind::RateLimited
        | ModelFailureKind::ServerError => Code::ModelUnavailable,
        ModelFailureKind::Authentication | ModelFailureKind::BadRequest => Code::ProviderRefused,
        ModelFailureKind::ContextLength => Code::ContextLengthExceeded,
        ModelFailureKind::InvalidResponse => Code::InvalidResponse,
        ModelFailureKind::UnsupportedTransport => Code::UnsupportedTransport,
        ModelFailureKind::SecretUnavailable => Code::SecretUnavailable,
        ModelFailureKind::NetworkDenied => Code::NetworkDenied,
    }
}
