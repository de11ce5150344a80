//! What is tried again, how often, and what is told of it. The clock is the runtime's and stands still
//! until everybody waits for it.

use std::sync::Arc;

use chat::{Reply, Script};
use model::{Failure, Heard, Model, Response};
use serde_json::json;
use tokio::time::Instant;
use types::{AttemptOutcome, ModelFailureKind as Kind, TokenUsage, TransportDiagnostics};

use crate::table::{Ears, ask, local, providers, request, served};

fn words() -> Reply {
    Reply::text("All is well.")
}

fn outcomes(failure: &Failure) -> Vec<AttemptOutcome> {
    failure.timeline.attempts.iter().map(|attempt| attempt.outcome).collect()
}

fn diagnostics(failure: &Failure) -> &TransportDiagnostics {
    failure.timeline.attempts.last().unwrap().transport_diagnostics.as_ref().unwrap()
}

/// Asks a server that says these things one after the other; how long it took, and how often it was asked.
async fn against(replies: Vec<Reply>) -> (Result<Response, Box<Failure>>, u64, u64) {
    let (server, config) = served(Script::queue(replies));
    let began = Instant::now();
    let answer = ask(config).await;
    (answer, u64::try_from(began.elapsed().as_millis()).unwrap(), server.calls())
}

#[tokio::test(start_paused = true)]
async fn what_may_mend_is_tried_again_and_every_attempt_is_told() {
    let replies = vec![Reply::server_error(), Reply::rate_limited(), words().usage(7, 5)];
    let (answer, took, calls) = against(replies).await;
    let timeline = answer.unwrap().timeline;
    assert_eq!((calls, timeline.attempts.len()), (3, 3));
    let [first, second, third] = &timeline.attempts[..] else { panic!("{timeline:?}") };
    assert_eq!([first.attempt, second.attempt, third.attempt], [1, 2, 3]);
    assert_eq!(
        [first.failure_kind, second.failure_kind, third.failure_kind],
        [Some(Kind::ServerError), Some(Kind::RateLimited), None]
    );
    assert_eq!(
        [first.outcome, second.outcome, third.outcome],
        [AttemptOutcome::Retrying, AttemptOutcome::Retrying, AttemptOutcome::Succeeded]
    );
    assert_eq!(first.transport_diagnostics.as_ref().unwrap().status, Some(500));
    assert_eq!(first.disposition.as_deref(), Some("retryable"));
    // Waiting is told apart from trying, and nothing else took any time.
    let (waits, tries): (u64, u64) = (
        timeline.attempts.iter().filter_map(|attempt| attempt.backoff_ms).sum(),
        timeline.attempts.iter().filter_map(|attempt| attempt.duration_ms).sum(),
    );
    assert!(waits > 0 && third.backoff_ms.is_none());
    assert!(tries < waits && took >= waits, "{tries} {waits} {took}");
}

#[tokio::test(start_paused = true)]
async fn after_two_retries_it_is_over_and_the_failure_says_so() {
    let (answer, _, calls) = against(vec![Reply::overloaded(); 5]).await;
    let failure = answer.unwrap_err();
    assert_eq!((calls, failure.kind, failure.status), (3, Kind::ServerError, Some(503)));
    let over =
        [AttemptOutcome::Retrying, AttemptOutcome::Retrying, AttemptOutcome::RetriesExhausted];
    assert_eq!(outcomes(&failure), over);
    assert!(failure.message.contains("attempt 3 of 3"), "{}", failure.message);
    assert_eq!(failure.timeline.winning_model_ref, None);
    assert_eq!(failure.timeline.active_model_ref.as_deref(), Some("local/test-model"));
}

#[tokio::test(start_paused = true)]
async fn a_provider_says_how_long_to_wait_and_is_heeded() {
    for (header, wait) in [("retry-after", "3"), ("retry-after-ms", "3000")] {
        let replies = vec![Reply::rate_limited().header(header, wait), words()];
        let (answer, took, _) = against(replies).await;
        let waited = answer.unwrap().timeline.attempts[0].backoff_ms.unwrap();
        assert!((3_000..=3_300).contains(&waited) && took >= waited, "{waited} {took}");
    }
    // The world's clock stands at the beginning of 2027.
    let date = "Fri, 01 Jan 2027 00:00:05 GMT";
    let (answer, _, _) =
        against(vec![Reply::rate_limited().header("retry-after", date), words()]).await;
    assert!(answer.unwrap().timeline.attempts[0].backoff_ms.unwrap() >= 5_000);
    // Only when there are requests again: in a second, as its head says.
    let (answer, took, _) = against(vec![Reply::rate_limited(), words()]).await;
    let waited = answer.unwrap().timeline.attempts[0].backoff_ms.unwrap();
    assert!((1_000..=1_100).contains(&waited) && took >= waited, "{waited} {took}");
}

#[tokio::test(start_paused = true)]
async fn an_error_behind_a_good_status_is_tried_again_if_it_may_mend() {
    let error = |kind: &str, code: &str| {
        let body = json!({"error": {"message": "no", "type": kind, "code": code}});
        Reply::raw(200, "application/json", body.to_string())
    };
    let (answer, _, calls) = against(vec![error("requests", "rate_limit_exceeded"), words()]).await;
    let attempts = answer.unwrap().timeline.attempts;
    assert_eq!((attempts[0].failure_kind, calls), (Some(Kind::RateLimited), 2));
    let (answer, _, calls) =
        against(vec![error("invalid_request_error", "invalid_api_key"), words()]).await;
    assert_eq!((answer.unwrap_err().kind, calls), (Kind::Authentication, 1));
}

#[tokio::test(start_paused = true)]
async fn whoever_is_told_to_come_back_much_later_gives_up_and_says_when() {
    let (answer, _, calls) =
        against(vec![Reply::rate_limited().header("retry-after", "60"), words()]).await;
    let failure = answer.unwrap_err();
    assert_eq!((calls, failure.kind, failure.retry_after_ms), (1, Kind::RateLimited, Some(60_000)));
    assert_eq!(outcomes(&failure), [AttemptOutcome::RetriesExhausted]);
}

#[tokio::test(start_paused = true)]
async fn what_does_not_mend_is_not_tried_again() {
    let cases = [
        (Reply::bad_key("sk-1"), Kind::Authentication, 401),
        (Reply::forbidden(), Kind::Authentication, 403),
        (Reply::no_such_model("m"), Kind::BadRequest, 404),
        (Reply::bad_request("no", None), Kind::BadRequest, 400),
        (Reply::context_length_exceeded(), Kind::ContextLength, 400),
    ];
    for (reply, kind, status) in cases {
        let (answer, took, calls) = against(vec![reply, words()]).await;
        let failure = answer.unwrap_err();
        assert_eq!((failure.kind, failure.status, calls), (kind, Some(status), 1));
        assert_eq!(outcomes(&failure), [AttemptOutcome::FailFastAborted]);
        assert!(took < 250, "nobody waits for what does not mend");
        assert_eq!(diagnostics(&failure).status, Some(status));
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_is_left_in_time() {
    let (answer, took, calls) = against(vec![Reply::hang(); 5]).await;
    let failure = answer.unwrap_err();
    assert_eq!((failure.kind, calls), (Kind::Timeout, 3));
    let seen = diagnostics(&failure);
    assert_eq!((seen.stage.as_str(), seen.is_timeout), ("headers", true));
    let tries: u64 =
        failure.timeline.attempts.iter().filter_map(|attempt| attempt.duration_ms).sum();
    assert!(tries >= 3 * 300_000 && took >= tries, "{tries} {took}");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_stands_still_is_left_in_time() {
    let slow = words().slowly(40, std::time::Duration::from_secs(200));
    let (answer, _, calls) = against(vec![slow, words()]).await;
    let attempts = answer.unwrap().timeline.attempts;
    assert_eq!((attempts[0].failure_kind, calls), (Some(Kind::Timeout), 2));
    assert_eq!(attempts[0].transport_diagnostics.as_ref().unwrap().stage, "body");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_cut_is_read_anew_and_what_was_heard_is_void() {
    let (server, config) = served(Script::queue([words().cut_after(600), words()]));
    let ears = Arc::new(Ears::default());
    let answer = providers(config).ask(request(), ears.clone()).await.unwrap();
    assert_eq!((answer.text.as_str(), server.calls()), ("All is well.", 2));
    assert_eq!(answer.timeline.attempts[0].failure_kind, Some(Kind::Broken));
    assert!(answer.timeline.attempts[0].transport_diagnostics.as_ref().unwrap().is_body);
    let heard = ears.heard();
    let taken = answer.timeline.attempts[0].token_usage.expect("what was cut off took something");
    let begins_anew = Heard::Restart { attempt: 2, taken };
    let again = heard.iter().position(|heard| *heard == begins_anew).unwrap();
    assert!(matches!(heard[0], Heard::Text { attempt: 1, n: 0, .. }), "{heard:?}");
    assert!(matches!(heard[again + 1], Heard::Text { attempt: 2, n: 0, .. }), "{heard:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stream_without_its_end_is_broken_however_politely_it_stops() {
    let wire = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi.\"}}]}\n\n";
    let (answer, _, calls) = against(vec![Reply::raw(200, "text/event-stream", wire); 3]).await;
    let failure = answer.unwrap_err();
    assert_eq!((failure.kind, calls), (Kind::Broken, 3));
    let cost = failure.timeline.aggregated_token_usage.unwrap();
    assert!(cost.input_tokens > 100, "nobody said what it cost, so what was sent is counted");
    assert_eq!(cost.output_tokens, 3, "and of what came three times the words");
    // In the middle of a letter of two bytes.
    let cut =
        [wire.as_bytes(), "data: {\"choices\":[{\"delta\":{\"content\":\"ü".as_bytes()].concat();
    let cut = &cut[..cut.len() - 1];
    let (answer, _, calls) =
        against(vec![Reply::raw(200, "text/event-stream", cut), words()]).await;
    let attempts = answer.unwrap().timeline.attempts;
    assert_eq!((attempts[0].failure_kind, calls), (Some(Kind::Broken), 2));
}

#[tokio::test(start_paused = true)]
async fn what_a_failed_attempt_cost_is_told_with_the_others() {
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}});
    let fails = Reply::raw(200, "text/event-stream", format!("data: {usage}\n\n"));
    let (answer, _, _) = against(vec![fails.clone(), words().usage(7, 5)]).await;
    let timeline = answer.unwrap().timeline;
    assert_eq!(timeline.attempts[0].token_usage, Some(TokenUsage::of(7, 2)));
    assert_eq!(timeline.aggregated_token_usage, Some(TokenUsage::of(14, 7)));
    let failure = against(vec![fails; 3]).await.0.unwrap_err();
    assert_eq!(failure.timeline.aggregated_token_usage, Some(TokenUsage::of(21, 6)));
}

#[tokio::test(start_paused = true)]
async fn whoever_listens_may_have_had_enough() {
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}});
    let fails = Reply::raw(200, "text/event-stream", format!("data: {usage}\n\n"));
    for (enough, calls) in [(Some(8), 1), (Some(9), 2), (Some(18), 3), (None, 3)] {
        let (server, config) = served(Script::always(fails.clone()));
        let ears = Arc::new(Ears { enough, ..Ears::default() });
        let failure = providers(config).ask(request(), ears).await.unwrap_err();
        assert_eq!((failure.kind, server.calls()), (Kind::Broken, calls), "{enough:?}");
        let last = failure.timeline.attempts.last().unwrap();
        assert_eq!(last.outcome, AttemptOutcome::RetriesExhausted);
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_inside_a_stream_is_tried_again_if_it_may_mend() {
    let fails = words().then_error("server_error", None, "The server gave up.");
    let (answer, _, calls) = against(vec![fails, words()]).await;
    assert_eq!((answer.unwrap().text.as_str(), calls), ("All is well.", 2));
    let refuses = words().then_error("invalid_request_error", None, "No.");
    let (answer, _, calls) = against(vec![refuses, words()]).await;
    assert_eq!((answer.unwrap_err().kind, calls), (Kind::BadRequest, 1));
}

#[tokio::test(start_paused = true)]
async fn what_came_before_an_answer_went_wrong_is_counted_up_to_what_was_asked_for() {
    let counted = async |reply: Reply| {
        let failure = against(vec![reply; 3]).await.0.unwrap_err();
        failure.timeline.attempts[0].token_usage
    };
    let refuses = words().then_error("invalid_request_error", None, "No.");
    let cost = counted(refuses).await.unwrap();
    assert!(cost.input_tokens > 50 && cost.output_tokens > 0, "{cost:?}");
    let at_once = "data: {\"error\":{\"message\":\"No.\",\"type\":\"rate_limit_error\"}}\n\n";
    assert_eq!(counted(Reply::raw(200, "text/event-stream", at_once)).await, None);
    let most = request().generation.max_output_tokens;
    let long = "x".repeat(9 << 20);
    for (kind, wire) in
        [("application/json", long.clone()), ("text/event-stream", format!("data: {long}"))]
    {
        let cost = counted(Reply::raw(200, kind, wire)).await.unwrap();
        assert_eq!(cost.output_tokens, most, "{kind}");
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_there_is_no_connection() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let failure = ask(local(&format!("http://{address}/v1"))).await.unwrap_err();
    assert_eq!((failure.kind, failure.timeline.attempts.len()), (Kind::Connection, 3));
    let seen = diagnostics(&failure);
    assert_eq!((seen.stage.as_str(), seen.is_connect, seen.is_timeout), ("connect", true, false));
    assert!(!seen.source_chain.is_empty());
}
