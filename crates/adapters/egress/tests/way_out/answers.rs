//! What it makes of answers.

use std::time::Duration;

use egress::{Bytes, Destination, Egress, Error, HeaderMap, Limits, Outgoing, Stage};
use tokio::io::AsyncWriteExt;

use crate::peer::{Peer, post, read_request, way_to};

fn bounded(url: &str, limits: Limits) -> Egress {
    Egress::new([Destination::of(url).unwrap()], limits)
}

#[tokio::test]
async fn an_answer_comes_piece_by_piece() {
    let (tell, told) = tokio::sync::watch::channel(false);
    let peer = Peer::doing(move |mut stream| {
        let mut told = told.clone();
        async move {
            read_request(&mut stream).await;
            let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\n";
            stream.write_all(head).await.unwrap();
            // The second piece is sent when the first has been read.
            told.wait_for(|heard| *heard).await.unwrap();
            stream.write_all(b"3\r\ntwo\r\n0\r\n\r\n").await.unwrap();
            read_request(&mut stream).await;
        }
    })
    .await;
    let (egress, url) = (way_to(&peer.url()), peer.url());
    let outgoing =
        Outgoing { url: &url, headers: HeaderMap::new(), body: Bytes::from_static(b"x") };
    let mut answer = egress.post(outgoing).await.unwrap();
    assert_eq!(answer.chunk().await.unwrap().unwrap(), "one");
    tell.send(true).unwrap();
    assert_eq!(answer.chunk().await.unwrap().unwrap(), "two");
    assert_eq!(answer.chunk().await.unwrap(), None);
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_not_read() {
    let limits = Limits { response_bytes_max: 10, ..Limits::default() };
    let promised = "HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\nhello world".to_owned();
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6\r\nhello \r\n5\r\nworld\r\n0\r\n\r\n";
    for answer in [promised, chunked.to_owned()] {
        let peer = Peer::saying(answer, false).await;
        let refused = post(&bounded(&peer.url(), limits), &peer.url()).await.unwrap_err();
        assert!(matches!(refused, Error::TooLong { bytes_max: 10 }), "{refused}");
    }
    let peer = Peer::saying("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhelloworld", false).await;
    assert!(post(&bounded(&peer.url(), limits), &peer.url()).await.is_ok());
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_told_from_one_that_never_began() {
    let peer = Peer::saying("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhel", true).await;
    let broken = post(&way_to(&peer.url()), &peer.url()).await.unwrap_err();
    assert!(matches!(broken, Error::Body { .. }), "{broken:?}");
    let peer = Peer::saying("", true).await;
    let unsent = post(&way_to(&peer.url()), &peer.url()).await.unwrap_err();
    assert!(matches!(unsent, Error::Send { .. }), "{unsent:?}");
    let peer = Peer::saying("I do not speak HTTP\r\n\r\n", true).await;
    assert!(post(&way_to(&peer.url()), &peer.url()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn all_of_it_has_one_time_to_be_done_in() {
    let limits = Limits { whole: Duration::from_secs(5), ..Limits::default() };
    let silent = Peer::doing(|mut stream| async move {
        read_request(&mut stream).await;
        std::future::pending::<()>().await;
    })
    .await;
    let late = post(&bounded(&silent.url(), limits), &silent.url()).await.unwrap_err();
    assert!(matches!(late, Error::Timeout { stage: Stage::Headers }), "{late}");
    let halting = Peer::saying("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhel", false).await;
    let late = post(&bounded(&halting.url(), limits), &halting.url()).await.unwrap_err();
    assert!(matches!(late, Error::Timeout { stage: Stage::Body }), "{late}");
}

#[tokio::test]
async fn a_connection_whose_answer_was_read_is_used_again() {
    let peer = Peer::saying("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi", false).await;
    let egress = way_to(&peer.url());
    for _ in 0..20 {
        post(&egress, &peer.url()).await.unwrap();
    }
    assert_eq!(peer.connections(), 1);
}

#[tokio::test]
async fn a_connection_that_was_left_behind_by_its_peer_costs_no_request() {
    // It does not say that it will hang up.
    let peer = Peer::saying("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi", true).await;
    let egress = way_to(&peer.url());
    for _ in 0..20 {
        post(&egress, &peer.url()).await.unwrap();
    }
    assert_eq!(peer.connections(), 20);
}

#[tokio::test]
async fn whoever_stops_listening_gives_the_connection_up() {
    let long = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhel";
    let peer = Peer::saying(long, false).await;
    let (egress, url) = (way_to(&peer.url()), peer.url());
    for _ in 0..2 {
        let outgoing =
            Outgoing { url: &url, headers: HeaderMap::new(), body: Bytes::from_static(b"x") };
        drop(egress.post(outgoing).await.unwrap());
    }
    assert_eq!(peer.connections(), 2);
}
