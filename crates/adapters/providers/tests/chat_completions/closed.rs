//! What never leaves the machine.

use std::fs;
use std::sync::Arc;

use chat::{Asked, ChatServer, Reply, Script};
use egress::{Destination, Egress, Limits};
use model::{Model, Request};
use providers::{PriceTable, ProviderConfig, Providers};
use testkit::FakeWorld;
use types::{AttemptOutcome, ModelFailureKind as Kind, Transport};

use crate::table::{Ears, ask, local, providers, providers_by, request, served};

fn hello() -> Script {
    Script::always(Reply::text("Hello."))
}

/// Nothing was even connected.
fn untouched(server: &ChatServer) {
    assert_eq!((server.connections(), server.calls()), (0, 0));
}

#[tokio::test]
async fn without_its_secret_nothing_is_sent() {
    for place in ["env:DORMOUSE_NO_SUCH_VARIABLE", "file:/dormouse/no/such/file", "keychain:x"] {
        let (server, mut config) = served(hello());
        config.secret = Some(place.parse().unwrap());
        let failure = ask(config).await.unwrap_err();
        assert_eq!(failure.kind, Kind::SecretUnavailable);
        assert!(failure.message.contains(place), "{}", failure.message);
        let [only] = &failure.timeline.attempts[..] else { panic!("{failure:?}") };
        assert_eq!(only.outcome, AttemptOutcome::FailFastAborted);
        assert_eq!(only.transport_diagnostics.as_ref().unwrap().stage, "secret");
        untouched(&server);
    }
}

#[tokio::test]
async fn a_secret_is_looked_up_at_each_call_and_sent_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    let (server, mut config) = served(hello());
    config.secret = Some(format!("file:{}", path.display()).parse().unwrap());
    let providers = providers(config);
    for key in ["sk-one", "sk-two"] {
        fs::write(&path, key).unwrap();
        providers.ask(request(), Arc::new(Ears::default())).await.unwrap();
    }
    let keys: Vec<_> = server.asked().iter().map(|asked| asked.key.clone().unwrap()).collect();
    assert_eq!(keys, ["sk-one", "sk-two"]);
}

#[tokio::test]
async fn no_failure_tells_the_secret_the_prompt_or_the_answer() {
    let replies = [
        // A server that repeats the key it was sent.
        Script::of(|asked| Reply::bad_key(asked.key.as_deref().unwrap())),
        Script::always(Reply::raw(200, "application/json", "{\"murmur\": ")),
        Script::always(Reply::raw(200, "application/json", "{\"choices\": \"murmur\"}")),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    fs::write(&path, "sk-hush").unwrap();
    for script in replies {
        let (_server, mut config) = served(script);
        config.secret = Some(format!("file:{}", path.display()).parse().unwrap());
        let failure = ask(config).await.unwrap_err();
        let told = format!("{failure:?} {}", serde_json::to_string(&failure.timeline).unwrap());
        for hidden in ["sk-hush", "task_whisper", "murmur"] {
            assert!(!told.contains(hidden), "{told}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_tells_the_secret_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    for (key, is_told) in [("sk-hush-hush-hush-hush", true), ("test", false)] {
        fs::write(&path, key).unwrap();
        for stream in [true, false] {
            let repeats =
                |asked: &Asked| Reply::text(format!("You sent {}.", asked.key.as_deref().unwrap()));
            let (_server, mut config) = served(Script::of(repeats));
            config.stream = stream;
            config.secret = Some(format!("file:{}", path.display()).parse().unwrap());
            let ears = Arc::new(Ears::default());
            let answered = providers(config).ask(request(), Arc::<Ears>::clone(&ears)).await;
            assert_eq!(answered.is_err(), is_told, "{key}: {answered:?}");
            let told = format!("{answered:?} {ears:?}");
            assert_eq!(told.contains(key), !is_told, "{told}");
        }
    }
}

#[tokio::test]
async fn a_secret_is_struck_out_before_what_a_provider_says_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    fs::write(&path, "sk-hush-hush-hush-hush").unwrap();
    let repeats = |key: &str, before: usize| format!("{} {key}", "x".repeat(before));
    for before in (270..350).step_by(8) {
        let refused = Script::of(move |asked| {
            let said = repeats(asked.key.as_deref().unwrap(), before);
            let body = serde_json::json!({ "error": { "message": said } });
            Reply::raw(400, "application/json", body.to_string())
        });
        let in_stream = Script::of(move |asked| {
            let said = repeats(asked.key.as_deref().unwrap(), before);
            Reply::text("Half a").then_error("invalid_request_error", None, &said)
        });
        for script in [refused, in_stream] {
            let (_server, mut config) = served(script);
            config.secret = Some(format!("file:{}", path.display()).parse().unwrap());
            let failure = ask(config).await.unwrap_err();
            let told = format!("{failure:?} {}", serde_json::to_string(&failure.timeline).unwrap());
            assert!(told.contains("xxx") && !told.contains("sk-"), "{before}: {told}");
            assert!(failure.message.len() <= 400, "{}", failure.message);
        }
    }
}

#[tokio::test]
async fn a_destination_that_is_not_allowed_is_never_connected() {
    let (server, config) = served(hello());
    let elsewhere = Destination::of("https://api.example.com/v1").unwrap();
    for allowed in [vec![], vec![elsewhere]] {
        let providers = providers_by(config.clone(), Egress::new(allowed, Limits::default()));
        let failure = providers.ask(request(), Arc::new(Ears::default())).await.unwrap_err();
        assert_eq!(failure.kind, Kind::NetworkDenied);
        let [only] = &failure.timeline.attempts[..] else { panic!("{failure:?}") };
        assert_eq!(only.outcome, AttemptOutcome::FailFastAborted);
        assert_eq!(only.transport_diagnostics.as_ref().unwrap().stage, "egress");
    }
    untouched(&server);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let target = ChatServer::start(hello());
    let to = format!("{}/chat/completions", target.base_url());
    for status in [301, 302, 307, 308] {
        let reply = Reply::raw(status, "text/plain", "over there").header("location", to.clone());
        let (server, config) = served(Script::always(reply));
        let failure = ask(config).await.unwrap_err();
        assert_eq!((failure.kind, failure.status), (Kind::NetworkDenied, Some(status)));
        assert!(failure.timeline.attempts[0].transport_diagnostics.as_ref().unwrap().is_redirect);
        assert_eq!(server.calls(), 1);
    }
    untouched(&target);
}

#[tokio::test]
async fn a_transport_that_is_not_spoken_is_refused_when_the_provider_is_chosen() {
    let spoken = [Transport::OpenaiResponses, Transport::AnthropicMessages, Transport::Gemini];
    for transport in spoken {
        let (server, config) = served(hello());
        let failure = ask(ProviderConfig { transport, ..config }).await.unwrap_err();
        assert_eq!(failure.kind, Kind::UnsupportedTransport);
        assert!(failure.message.contains(transport.as_str()), "{}", failure.message);
        let [only] = &failure.timeline.attempts[..] else { panic!("{failure:?}") };
        assert_eq!(only.outcome, AttemptOutcome::FailFastAborted);
        assert_eq!(only.transport_diagnostics.as_ref().unwrap().stage, "select");
        untouched(&server);
    }
}

#[tokio::test]
async fn a_provider_that_is_not_configured_is_not_guessed() {
    let (server, config) = served(hello());
    let stranger = Request { model: "stranger/test-model".parse().unwrap(), ..request() };
    let failure = providers(config).ask(stranger, Arc::new(Ears::default())).await.unwrap_err();
    assert_eq!(failure.kind, Kind::UnsupportedTransport);
    assert!(failure.message.contains("no provider is called stranger"), "{}", failure.message);
    untouched(&server);
}

#[tokio::test]
async fn any_provider_that_speaks_the_transport_is_reached_by_its_own_name() {
    let (one, other) = (ChatServer::start(hello()), ChatServer::start(hello()));
    let configs = vec![
        ProviderConfig { name: "one".to_owned(), ..local(&one.base_url()) },
        ProviderConfig { name: "other".to_owned(), ..local(&format!("{}/", other.base_url())) },
    ];
    let egress = providers::way_out(&configs, Limits::default()).unwrap();
    let world = Arc::new(FakeWorld::seeded(1));
    let providers = Providers::new(configs, PriceTable::default(), egress, world).unwrap();
    let request = Request { model: "other/org/model".parse().unwrap(), ..request() };
    let answer = providers.ask(request, Arc::new(Ears::default())).await.unwrap();
    assert_eq!(answer.timeline.winning_model_ref.as_deref(), Some("other/org/model"));
    assert_eq!(other.asked()[0].json()["model"], "org/model");
    untouched(&one);
}

#[test]
fn two_providers_of_one_name_are_refused() {
    let config = local("http://127.0.0.1:9/v1");
    let egress = Egress::new([], Limits::default());
    let world = Arc::new(FakeWorld::seeded(1));
    let made = Providers::new(vec![config.clone(), config], PriceTable::default(), egress, world);
    assert!(made.is_err());
}

#[test]
fn how_providers_stand_is_told_without_a_word_to_any_with_what_is_tried_again() {
    let server = ChatServer::start_apart(hello());
    let named = |name: &str| ProviderConfig { name: name.to_owned(), ..local(&server.base_url()) };
    let configs = vec![
        named("good"),
        ProviderConfig { transport: Transport::Gemini, ..named("mute") },
        ProviderConfig { secret: "env:DORMOUSE_NO_SUCH_VARIABLE".parse().ok(), ..named("poor") },
    ];
    let egress = Egress::new([], Limits::default());
    let world = Arc::new(FakeWorld::seeded(1));
    let providers = Providers::new(configs, PriceTable::default(), egress, world).unwrap();
    let standings = providers.providers();
    let obstacles: Vec<_> =
        standings.iter().map(|one| (one.provider.as_str(), one.obstacle.as_deref())).collect();
    let [("good", None), ("mute", Some(mute)), ("poor", Some(poor))] = obstacles[..] else {
        panic!("{obstacles:?}");
    };
    assert!(mute.contains("gemini") && poor.contains("DORMOUSE_NO_SUCH_VARIABLE"), "{obstacles:?}");
    for standing in &standings {
        assert_eq!(standing.destination, server.base_url());
        assert_eq!((standing.retry.attempts_max, standing.retry.backoff_ms), (3, 500));
    }
    untouched(&server);
}
