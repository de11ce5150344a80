//! Where it does not go.

use egress::{Error, Stage};

use crate::peer::{Peer, post, way_to};

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";

#[tokio::test]
async fn what_is_not_allowed_is_refused_before_any_connection() {
    let peer = Peer::saying(OK, false).await;
    let others = ["http://127.0.0.1:1/", "https://127.0.0.1/", "http://api.example.com/"];
    for other in others {
        let refused = post(&way_to(other), &peer.url()).await.unwrap_err();
        assert!(matches!(refused, Error::Denied { .. }), "{refused}");
        assert!(refused.is_denied() && refused.stage() == Stage::Egress);
    }
    // The port and the scheme are part of it.
    let port = peer.address.port();
    let https = way_to(&peer.url().replace("http:", "https:"));
    assert!(matches!(post(&https, &peer.url()).await, Err(Error::Denied { .. })));
    let named = way_to(&format!("http://localhost:{port}"));
    assert!(matches!(post(&named, &peer.url()).await, Err(Error::Denied { .. })));
    assert_eq!(peer.connections(), 0);
}

#[tokio::test]
async fn what_is_no_address_is_refused() {
    let egress = way_to("http://127.0.0.1:1/");
    for url in ["", "/v1", "http://me:pw@127.0.0.1:1/", "ftp://127.0.0.1:1/"] {
        let refused = post(&egress, url).await.unwrap_err();
        assert!(matches!(refused, Error::BadUrl { .. }) && refused.is_denied(), "{refused}");
    }
}

#[tokio::test]
async fn a_name_that_leads_to_this_machine_in_disguise_is_not_connected() {
    let peer = Peer::saying(OK, false).await;
    // Both are ways to write 127.0.0.1 that a resolver understands and that are no address to us.
    for host in ["127.1", "2130706433"] {
        let url = format!("http://{host}:{}/v1/x?y=z", peer.address.port());
        let refused = post(&way_to(&url), &url).await.unwrap_err();
        assert!(matches!(refused, Error::Misled { .. }) && refused.is_denied(), "{refused}");
    }
    assert_eq!(peer.connections(), 0);
}

#[tokio::test]
async fn this_machine_by_its_name_is_reached() {
    let peer = Peer::saying(OK, false).await;
    let url = format!("http://localhost:{}/v1/x?y=z", peer.address.port());
    assert_eq!(post(&way_to(&url), &url).await.unwrap(), (200, b"hi".to_vec()));
}

#[tokio::test]
async fn a_redirect_is_an_error_even_to_where_it_may_go() {
    let peer =
        Peer::saying("HTTP/1.1 307 X\r\nlocation: /v1/x\r\ncontent-length: 0\r\n\r\n", false).await;
    let refused = post(&way_to(&peer.url()), &peer.url()).await.unwrap_err();
    assert!(matches!(refused, Error::Redirected { status: 307 }) && refused.is_denied());
    assert_eq!(peer.connections(), 1);
}
