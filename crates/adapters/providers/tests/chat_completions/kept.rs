//! Connections are kept.

use std::sync::Arc;

use chat::{Reply, Script};
use model::Model;

use crate::table::{Ears, providers, request, served};

#[tokio::test]
async fn one_connection_serves_call_after_call() {
    for stream in [true, false] {
        let (server, mut config) = served(Script::always(Reply::text("Hello.")));
        config.stream = stream;
        let providers = providers(config);
        for _ in 0..50 {
            providers.ask(request(), Arc::new(Ears::default())).await.unwrap();
        }
        assert_eq!((server.calls(), server.connections()), (50, 1), "stream: {stream}");
    }
}

#[tokio::test]
async fn errors_do_not_cost_the_connection() {
    let replies = (0..10)
        .map(|n| if n % 2 == 0 { Reply::bad_request("no", None) } else { Reply::text("Hello.") });
    let (server, config) = served(Script::queue(replies));
    let providers = providers(config);
    for n in 0..10 {
        let answer = providers.ask(request(), Arc::new(Ears::default())).await;
        assert_eq!(answer.is_ok(), n % 2 == 1);
    }
    assert_eq!((server.calls(), server.connections()), (10, 1));
}

#[tokio::test]
async fn a_server_that_hangs_up_after_each_answer_is_called_anew() {
    let reply = Reply::text("Hello.").header("connection", "close");
    let (server, config) = served(Script::always(reply));
    let providers = providers(config);
    for _ in 0..20 {
        let answer = providers.ask(request(), Arc::new(Ears::default())).await.unwrap();
        assert_eq!(answer.timeline.attempts.len(), 1);
    }
    assert_eq!((server.calls(), server.connections()), (20, 20));
}

#[tokio::test]
async fn many_at_once_are_all_answered() {
    let (server, config) = served(Script::always(Reply::text("Hello.")));
    let providers = providers(config);
    for _ in 0..2 {
        let asking =
            (0..40).map(|_| tokio::spawn(providers.ask(request(), Arc::new(Ears::default()))));
        for answer in asking.collect::<Vec<_>>() {
            assert_eq!(answer.await.unwrap().unwrap().text, "Hello.");
        }
    }
    assert!(server.connections() <= 80 && server.calls() == 80);
}
