//! Whether to try again, and when.

use types::{AttemptOutcome, ModelFailureKind};

/// Attempts at one request: the first, and two more.
pub(crate) const ATTEMPTS_MAX: u32 = 3;

/// How long the second attempt waits if nobody says; each further one waits twice as long.
pub(crate) const BACKOFF_MS: u64 = 500;

/// How long a provider may make us wait. An agent that is told to come back later rests instead.
pub(crate) const RETRY_AFTER_MS_MAX: u64 = 20_000;

/// What follows a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Another one.
    Again {
        /// After so long.
        wait_ms: u64,
    },
    /// Nothing.
    Over(AttemptOutcome),
}

/// What follows the failure of the attempt of this number, from 1.
pub(crate) fn next(
    kind: ModelFailureKind,
    attempt: u32,
    retry_after_ms: Option<u64>,
    chance: u128,
) -> Next {
    if !kind.is_retryable() {
        return Next::Over(AttemptOutcome::FailFastAborted);
    }
    if attempt >= ATTEMPTS_MAX || retry_after_ms.is_some_and(|wait| wait > RETRY_AFTER_MS_MAX) {
        return Next::Over(AttemptOutcome::RetriesExhausted);
    }
    // Those who failed together must not come back together: the wait is spread.
    let spread = |span: u64| u64::try_from(chance % u128::from(span + 1)).unwrap_or(span);
    let wait_ms = match retry_after_ms {
        // Never earlier than was asked for.
        Some(wait) => wait + spread(wait / 10),
        None => {
            let whole = BACKOFF_MS << (attempt - 1).min(8);
            whole / 2 + spread(whole / 2)
        }
    };
    Next::Again { wait_ms }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ModelFailureKind as Kind;

    #[test]
    fn there_are_at_most_two_retries_and_only_of_what_may_mend() {
        for kind in
            [Kind::Timeout, Kind::Connection, Kind::Broken, Kind::RateLimited, Kind::ServerError]
        {
            assert!(matches!(next(kind, 1, None, 0), Next::Again { .. }), "{kind:?}");
            assert!(matches!(next(kind, 2, None, 0), Next::Again { .. }), "{kind:?}");
            assert_eq!(next(kind, 3, None, 0), Next::Over(AttemptOutcome::RetriesExhausted));
        }
        let deterministic = [
            Kind::Authentication,
            Kind::BadRequest,
            Kind::ContextLength,
            Kind::InvalidResponse,
            Kind::UnsupportedTransport,
            Kind::SecretUnavailable,
            Kind::NetworkDenied,
        ];
        for kind in deterministic {
            assert_eq!(next(kind, 1, None, 0), Next::Over(AttemptOutcome::FailFastAborted));
        }
    }

    #[test]
    fn waits_double_are_spread_and_are_never_shorter_than_the_provider_wants() {
        let waits = |attempt, after| {
            let wait = |chance| match next(Kind::RateLimited, attempt, after, chance) {
                Next::Again { wait_ms } => wait_ms,
                over => panic!("{over:?}"),
            };
            let all: Vec<u64> = (0..2_000).map(wait).collect();
            (*all.iter().min().unwrap(), *all.iter().max().unwrap())
        };
        assert_eq!(waits(1, None), (250, 500));
        assert_eq!(waits(2, None), (500, 1_000));
        assert_eq!(waits(1, Some(2_000)), (2_000, 2_200));
        assert_eq!(waits(1, Some(0)), (0, 0));
    }

    #[test]
    fn whoever_is_told_to_wait_long_gives_up() {
        let after = |wait| next(Kind::RateLimited, 1, Some(wait), 0);
        assert_eq!(after(20_000), Next::Again { wait_ms: 20_000 });
        assert_eq!(after(20_001), Next::Over(AttemptOutcome::RetriesExhausted));
    }
}
