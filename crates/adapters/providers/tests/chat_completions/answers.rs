//! What is sent and what is read.

use std::sync::Arc;

use chat::{Reply, Script};
use model::{Heard, Model};
use serde_json::json;
use types::{AttemptOutcome, FinishReason, ModelFailureKind, ModelRef, TokenUsage};

use crate::table::{Ears, ask, providers, request, second_round, served};

fn words() -> Reply {
    Reply::text("Grüße, Ümit. 🐭 sleeps.").usage(7, 5)
}

#[tokio::test]
async fn words_are_read_and_heard_streamed_or_not() {
    for stream in [true, false] {
        let (_server, mut config) = served(Script::always(words()));
        config.stream = stream;
        let ears = Arc::new(Ears::default());
        let answer = providers(config).ask(request(), ears.clone()).await.unwrap();
        assert_eq!(
            (answer.text.as_str(), answer.finish),
            ("Grüße, Ümit. 🐭 sleeps.", FinishReason::Stop)
        );
        assert_eq!(answer.usage, TokenUsage::of(7, 5));
        let mut heard = String::new();
        for (count, piece) in ears.heard().into_iter().enumerate() {
            let Heard::Text { attempt: 1, n, text } = piece else { panic!("{piece:?}") };
            assert_eq!(n, count as u64);
            heard.push_str(&text);
        }
        assert_eq!(heard, answer.text);
    }
}

#[tokio::test]
async fn calls_are_read_and_those_without_json_are_kept_as_they_were_written() {
    for stream in [true, false] {
        let reply = Reply::call("a", "add", &json!({"x": "käse"})).and_call("b", "add", "{no JSON");
        let (_server, mut config) = served(Script::always(reply));
        config.stream = stream;
        let ears = Arc::new(Ears::default());
        let answer = providers(config).ask(request(), ears.clone()).await.unwrap();
        assert_eq!((answer.text.as_str(), answer.finish), ("", FinishReason::ToolCalls));
        assert_eq!(answer.calls[0].arguments, Ok(json!({"x": "käse"})));
        assert_eq!(answer.calls[1].arguments, Err("{no JSON".to_owned()));
        let called = |n| Heard::Call { attempt: 1, n, tool: "add".to_owned() };
        assert_eq!(ears.heard(), [called(0), called(1)]);
    }
}

#[tokio::test]
async fn a_stream_in_pieces_of_one_byte_is_the_same_stream() {
    let (_server, config) = served(Script::always(words().in_pieces(1)));
    assert_eq!(ask(config).await.unwrap().text, "Grüße, Ümit. 🐭 sleeps.");
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_read_all_the_same() {
    let whole = json!({"choices": [
        {"index": 0, "message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"},
    ]});
    let reply = Reply::raw(200, "application/json", whole.to_string());
    let (_server, config) = served(Script::always(reply));
    let answer = ask(config).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.usage), ("Hi.", TokenUsage::default()));
}

#[tokio::test]
async fn a_server_that_checks_like_openai_takes_every_round() {
    let (server, config) = served(Script::always(words()));
    let providers = providers(config);
    for request in [request(), second_round()] {
        providers.ask(request, Arc::new(Ears::default())).await.unwrap();
    }
    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    let roles: Vec<String> = asked[1].json()["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "user"]);
    assert_eq!((asked[0].json()["model"].as_str(), &asked[0].key), (Some("test-model"), &None));
}

#[tokio::test]
async fn an_answer_tells_who_was_asked_and_how_it_went() {
    let (_server, config) = served(Script::always(words()));
    let answer = ask(config).await.unwrap();
    assert_eq!(answer.version.as_deref(), Some("test-model"), "as it calls itself");
    let timeline = answer.timeline;
    let name = Some("local/test-model".to_owned());
    assert_eq!(timeline.requested_model_ref, "local/test-model");
    assert_eq!((&timeline.active_model_ref, &timeline.winning_model_ref), (&name, &name));
    assert_eq!(timeline.aggregated_token_usage, Some(TokenUsage::of(7, 5)));
    let [only] = &timeline.attempts[..] else { panic!("{timeline:?}") };
    assert_eq!((only.attempt, only.max_attempts, only.outcome), (1, 3, AttemptOutcome::Succeeded));
    assert_eq!((only.provider.as_str(), only.advanced_to_fallback), ("local", false));
    assert!(only.started_at.is_some() && only.completed_at.is_some() && only.duration_ms.is_some());
    assert_eq!((only.failure_kind, &only.transport_diagnostics), (None, &None));
    assert_eq!(only.token_usage, Some(TokenUsage::of(7, 5)));
}

#[tokio::test]
async fn what_is_no_answer_is_refused_at_once() {
    let bad = [
        Reply::raw(200, "application/json", "<html>Hello</html>"),
        Reply::raw(200, "text/html", "<html>Hello</html>"),
        Reply::raw(200, "text/event-stream", "data: nonsense\n\n"),
        Reply::raw(200, "application/json", "{}"),
        Reply::nothing().finish("length"),
        words().finish("bored"),
        Reply::nothing().and_call("a", "", "{}"),
        Reply::text("x".repeat(10 * 1024 * 1024)),
        Reply::raw(200, "application/json", vec![b' '; 10 * 1024 * 1024]).in_pieces(1 << 16),
    ];
    for reply in bad {
        let (server, config) = served(Script::always(reply));
        let failure = ask(config).await.unwrap_err();
        assert_eq!(failure.kind, ModelFailureKind::InvalidResponse, "{}", failure.message);
        assert_eq!((server.calls(), failure.timeline.attempts.len()), (1, 1));
        let last = &failure.timeline.attempts[0];
        assert_eq!(last.outcome, AttemptOutcome::FailFastAborted);
        assert_eq!(last.disposition.as_deref(), Some("fail_fast"));
        assert!(last.transport_diagnostics.as_ref().unwrap().is_decode, "{}", failure.message);
    }
}

#[tokio::test]
async fn a_model_in_the_table_has_a_price_and_another_has_none() {
    let (_server, config) = served(Script::always(words()));
    let providers = providers(config);
    let mini: ModelRef = "openai/gpt-4o-mini".parse().unwrap();
    assert_eq!(providers.price(&mini).unwrap().of(&TokenUsage::of(1_000_000, 1_000_000)), 750_000);
    assert_eq!(providers.price(&"local/test-model".parse().unwrap()), None);
}
