//! Whom it believes.

use std::sync::Arc;

use egress::{Destination, Egress, Error, Limits};
use tokio::io::AsyncWriteExt;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::peer::{Peer, post, read_request};

// An authority and a certificate for `localhost` that no other program knows.
const AUTHORITY: &[u8] = include_bytes!("tls/authority.pem");
const CERTIFICATE: &[u8] = include_bytes!("tls/localhost.pem");
const KEY: &[u8] = include_bytes!("tls/localhost.key.pem");

async fn secure_peer() -> Peer {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE).unwrap();
    let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    Peer::doing(move |stream| {
        let acceptor = acceptor.clone();
        async move {
            // Whoever does not believe us goes away here.
            let Ok(mut stream) = acceptor.accept(stream).await else { return };
            while read_request(&mut stream).await {
                let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
                stream.write_all(answer).await.unwrap();
            }
        }
    })
    .await
}

fn way_to(url: &str) -> Egress {
    Egress::new([Destination::of(url).unwrap()], Limits::default())
}

#[tokio::test]
async fn a_peer_is_believed_whose_authority_is_trusted() {
    let peer = secure_peer().await;
    let url = format!("https://localhost:{}/v1/x?y=z", peer.address.port());
    let authority = CertificateDer::from_pem_slice(AUTHORITY).unwrap();
    let egress = way_to(&url).trusting([authority.to_vec()]);
    for _ in 0..5 {
        assert_eq!(post(&egress, &url).await.unwrap(), (200, b"hi".to_vec()));
    }
    assert_eq!(peer.connections(), 1);
}

#[tokio::test]
async fn a_peer_of_an_unknown_authority_or_of_another_name_is_not_believed() {
    let peer = secure_peer().await;
    let port = peer.address.port();
    let url = format!("https://localhost:{port}/v1/x?y=z");
    let refused = post(&way_to(&url), &url).await.unwrap_err();
    assert!(matches!(refused, Error::Connect { .. }), "{refused:?}");
    let by_number = format!("https://127.0.0.1:{port}/v1/x?y=z");
    let authority = CertificateDer::from_pem_slice(AUTHORITY).unwrap();
    let egress = way_to(&by_number).trusting([authority.to_vec()]);
    let refused = post(&egress, &by_number).await.unwrap_err();
    assert!(matches!(refused, Error::Connect { .. }), "{refused:?}");
}
