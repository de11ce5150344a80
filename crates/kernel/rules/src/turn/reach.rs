//! What the reach for a model took and cost.

use types::{At, AttemptRecord, AttemptTimeline, Round, TokenUsage, Turn, TurnSpent};

/// Says when the only attempt was made, if nobody closer to it does: while the whole question was asked.
/// Of several attempts no single one is known from outside.
#[must_use]
pub fn backfill(mut timeline: AttemptTimeline, began: At, over: At) -> AttemptTimeline {
    if let [only] = &mut timeline.attempts[..] {
        let took = u64::try_from(over.millis().saturating_sub(began.millis())).unwrap_or(0);
        only.started_at.get_or_insert(began);
        only.completed_at.get_or_insert(over);
        only.duration_ms.get_or_insert(took);
    }
    timeline
}

/// What a question cost: that of all attempts, and that of the answer if the attempt that got it does not name it.
#[must_use]
pub fn charged(timeline: &AttemptTimeline, answer: TokenUsage) -> TokenUsage {
    let all = timeline.aggregated_token_usage.unwrap_or_default();
    let last =
        timeline.attempts.last().map_or(timeline.aggregated_token_usage, |it| it.token_usage);
    let named = last.is_some_and(|usage| usage.total_tokens > 0);
    if named { all } else { all.plus(answer) }
}

/// How far an attempt came that nobody was sent anything in.
const NOT_SENT: [&str; 4] = ["select", "secret", "egress", "connect"];

/// How often something was sent for a question: once, if nobody says how it was tried.
#[must_use]
pub fn calls(timeline: &AttemptTimeline) -> u32 {
    let was_sent = |attempt: &&AttemptRecord| {
        let seen = attempt.transport_diagnostics.as_ref();
        seen.is_none_or(|seen| !NOT_SENT.contains(&seen.stage.as_str()))
    };
    match timeline.attempts.len() {
        0 => 1,
        _ => u32::try_from(timeline.attempts.iter().filter(was_sent).count()).unwrap_or(u32::MAX),
    }
}

/// What a turn with these answers took: they, and what was asked about the words that it began with.
#[must_use]
pub fn spent(turn: &Turn, rounds: &[Round]) -> TurnSpent {
    let took = |round: &Round| TurnSpent {
        model_calls: calls(&round.timeline),
        tokens: charged(&round.timeline, round.token_usage),
        cost_micros: round.cost_micros,
    };
    let before = turn.classified.as_ref().map(|asked| asked.took).unwrap_or_default();
    rounds.iter().map(took).fold(before, TurnSpent::plus)
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::{AttemptOutcome, TransportDiagnostics};

    fn attempt(duration_ms: Option<u64>) -> AttemptRecord {
        AttemptRecord {
            provider: "local".to_owned(),
            model_ref: "local/m".to_owned(),
            attempt: 1,
            max_attempts: 3,
            started_at: None,
            completed_at: None,
            duration_ms,
            failure_kind: None,
            disposition: None,
            outcome: AttemptOutcome::Succeeded,
            advanced_to_fallback: false,
            backoff_ms: None,
            token_usage: None,
            transport_diagnostics: None,
        }
    }

    fn filled(attempts: Vec<AttemptRecord>) -> Vec<AttemptRecord> {
        let timeline = AttemptTimeline { attempts, ..AttemptTimeline::default() };
        backfill(timeline, At::from_millis(1_000), At::from_millis(1_250)).attempts
    }

    #[test]
    fn the_only_attempt_took_as_long_as_the_question_and_of_several_nothing_is_guessed() {
        let only = filled(vec![attempt(None)]).remove(0);
        assert_eq!(only.started_at, Some(At::from_millis(1_000)));
        assert_eq!(only.completed_at, Some(At::from_millis(1_250)));
        assert_eq!(only.duration_ms, Some(250));
        assert_eq!(filled(vec![attempt(Some(7))])[0].duration_ms, Some(7), "it knows better");
        let several = vec![attempt(None), attempt(Some(7))];
        assert_eq!(filled(several.clone()), several);
        assert_eq!(filled(vec![]), vec![]);
    }

    #[test]
    fn a_call_is_what_was_sent_and_a_question_without_attempts_was_sent_once() {
        let came_to = |stage: &str| {
            let stage = stage.to_owned();
            let seen = TransportDiagnostics { stage, ..TransportDiagnostics::default() };
            AttemptRecord { transport_diagnostics: Some(seen), ..attempt(None) }
        };
        let of = |stages: &[&str], last: Option<AttemptRecord>| {
            let attempts = stages.iter().map(|stage| came_to(stage)).chain(last).collect();
            calls(&AttemptTimeline { attempts, ..AttemptTimeline::default() })
        };
        assert_eq!(of(&[], None), 1);
        assert_eq!(of(&["select", "secret", "egress", "connect"], None), 0);
        assert_eq!(of(&["connect", "send", "headers", "body", "decode"], None), 4);
        assert_eq!(of(&["headers"], Some(attempt(None))), 2, "the last was answered");
    }

    #[test]
    fn attempts_that_failed_are_paid_too() {
        let answer = TokenUsage::of(10, 5);
        let silent = AttemptTimeline::default();
        assert_eq!(charged(&silent, answer), answer);
        let all = Some(TokenUsage::of(30, 6));
        let told = AttemptTimeline { aggregated_token_usage: all, ..silent.clone() };
        assert_eq!(charged(&told, answer), TokenUsage::of(30, 6));
        let first = Some(TokenUsage::of(20, 1));
        let attempts = vec![AttemptRecord { token_usage: first, ..attempt(None) }, attempt(None)];
        let last_silent = AttemptTimeline { aggregated_token_usage: first, attempts, ..silent };
        assert_eq!(charged(&last_silent, answer), TokenUsage::of(30, 6), "both are paid");
    }
}
