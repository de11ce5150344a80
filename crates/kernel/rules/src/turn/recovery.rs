//! What kind of failure it was, and what is done about it.
//!
//! ```text
//! failure                  what is done
//! timeout                  the run is tried again, later each time
//! rate_limited             the same, and not before the provider's own time
//! network_error            the same, and not together with the others that failed
//! dependency_failure       tried again; what was not recorded is planned anew
//! authentication_failure   a person is told at once
//! configuration_error      it ends; its agent stands where its last good turn left it
//! ```
//! How often and how much later is `pace::retry_at`. A denial is no failure: it goes straight back.

use types::{Code, FailureCategory, FailureType, ModelFailureKind, Strategy};

/// What kind of failure it is that a model could not be reached so. An endpoint that does not keep to the
/// contract of its transport is one that is set up wrongly.
#[must_use]
pub const fn classify(kind: ModelFailureKind) -> FailureType {
    match kind {
        ModelFailureKind::Timeout => FailureType::Timeout,
        ModelFailureKind::Connection | ModelFailureKind::Broken => FailureType::NetworkError,
        ModelFailureKind::RateLimited => FailureType::RateLimited,
        ModelFailureKind::Authentication | ModelFailureKind::SecretUnavailable => {
            FailureType::AuthenticationFailure
        }
        ModelFailureKind::ServerError => FailureType::DependencyFailure,
        ModelFailureKind::BadRequest
        | ModelFailureKind::ContextLength
        | ModelFailureKind::InvalidResponse
        | ModelFailureKind::UnsupportedTransport
        | ModelFailureKind::NetworkDenied => FailureType::ConfigurationError,
    }
}

/// What is done about a failure.
#[must_use]
pub const fn strategy(failure: FailureType) -> Strategy {
    match failure {
        FailureType::Timeout | FailureType::RateLimited | FailureType::NetworkError => {
            Strategy::Retry
        }
        FailureType::DependencyFailure => Strategy::Replan,
        FailureType::AuthenticationFailure => Strategy::Escalate,
        FailureType::ConfigurationError => Strategy::Rollback,
    }
}

/// Whether the same run is tried again.
#[must_use]
pub const fn tries_again(strategy: Strategy) -> bool {
    matches!(strategy, Strategy::Retry | Strategy::Replan)
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

/// What kind of thing failed, for people: on the way to a provider, in what it said, or in the turn.
#[must_use]
pub const fn category(code: Code) -> FailureCategory {
    match code {
        Code::ModelUnavailable
        | Code::ProviderRefused
        | Code::SecretUnavailable
        | Code::NetworkDenied => FailureCategory::Transport,
        Code::InvalidResponse | Code::UnsupportedTransport => FailureCategory::Protocol,
        _ => FailureCategory::Runtime,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pace;
    use types::{At, Digest, RunKey, SchedulerPolicy};

    /// Kind, type, what is done, and whether the same request may pass.
    const TABLE: [(ModelFailureKind, FailureType, Strategy); 12] = {
        use FailureType as Type;
        use ModelFailureKind as Kind;
        [
            (Kind::Timeout, Type::Timeout, Strategy::Retry),
            (Kind::Connection, Type::NetworkError, Strategy::Retry),
            (Kind::Broken, Type::NetworkError, Strategy::Retry),
            (Kind::RateLimited, Type::RateLimited, Strategy::Retry),
            (Kind::ServerError, Type::DependencyFailure, Strategy::Replan),
            (Kind::Authentication, Type::AuthenticationFailure, Strategy::Escalate),
            (Kind::SecretUnavailable, Type::AuthenticationFailure, Strategy::Escalate),
            (Kind::BadRequest, Type::ConfigurationError, Strategy::Rollback),
            (Kind::ContextLength, Type::ConfigurationError, Strategy::Rollback),
            (Kind::InvalidResponse, Type::ConfigurationError, Strategy::Rollback),
            (Kind::UnsupportedTransport, Type::ConfigurationError, Strategy::Rollback),
            (Kind::NetworkDenied, Type::ConfigurationError, Strategy::Rollback),
        ]
    };

    #[test]
    fn every_failure_of_a_model_has_one_type_and_one_way_to_go_on() {
        for (kind, failure, what) in TABLE {
            assert_eq!((classify(kind), strategy(failure)), (failure, what), "{kind:?}");
            assert_eq!(tries_again(what), kind.is_retryable(), "{kind:?}");
        }
    }

    #[test]
    fn a_failure_is_of_the_way_to_a_provider_of_what_it_said_or_of_the_turn() {
        use FailureCategory as Category;
        for (kind, ..) in TABLE {
            let expected = match code(kind) {
                Code::InvalidResponse | Code::UnsupportedTransport => Category::Protocol,
                Code::ContextLengthExceeded => Category::Runtime,
                _ => Category::Transport,
            };
            assert_eq!(category(code(kind)), expected, "{kind:?}");
        }
        for own in
            [Code::NoProgress, Code::TurnLimitReached, Code::BudgetExceeded, Code::RunCancelled]
        {
            assert_eq!(category(own), Category::Runtime, "{own}");
        }
    }

    #[test]
    fn what_is_tried_again_waits_longer_each_time_and_not_together_with_others() {
        let (policy, now) = (SchedulerPolicy::DEFAULT, At::from_millis(1_000_000));
        let at = |first: u8, failures: u32| {
            let run = RunKey(Digest::from_bytes([first; 32]));
            pace::retry_at(&policy, &run, failures, now)
        };
        for failures in 1..policy.attempts_max {
            assert!(at(0, failures) > at(0, failures - 1), "{failures}");
            assert_ne!(at(0, failures), at(200, failures), "they failed together");
        }
        assert_eq!(at(0, policy.attempts_max), None);
        assert!(policy.attempts_max <= 1 + 10, "at most ten times more");
    }
}
