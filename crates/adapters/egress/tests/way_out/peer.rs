//! A peer that says what it is told to, byte for byte.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use egress::{Bytes, Destination, Egress, Error, HeaderMap, Limits, Outgoing};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What a peer does with one connection.
pub(crate) struct Peer {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicU64>,
}

impl Peer {
    /// Answers each request on each connection with these bytes; then it hangs up, or not.
    pub(crate) async fn saying(answer: impl Into<Vec<u8>>, hangs_up: bool) -> Peer {
        let answer: Vec<u8> = answer.into();
        Peer::doing(move |mut stream| {
            let answer = answer.clone();
            async move {
                while read_request(&mut stream).await {
                    let written = stream.write_all(&answer).await;
                    if hangs_up || written.is_err() {
                        return;
                    }
                }
            }
        })
        .await
    }

    /// Does this with each connection.
    pub(crate) async fn doing<Talk: Future<Output = ()> + Send + 'static>(
        talk: impl Fn(TcpStream) -> Talk + Send + 'static,
    ) -> Peer {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&connections);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                counted.fetch_add(1, Ordering::Relaxed);
                tokio::spawn(talk(stream));
            }
        });
        Peer { address, connections }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1/x?y=z", self.address)
    }

    pub(crate) fn connections(&self) -> u64 {
        self.connections.load(Ordering::Relaxed)
    }
}

/// Reads a head and as much as it promises; false at the end.
pub(crate) async fn read_request(stream: &mut (impl AsyncReadExt + Unpin)) -> bool {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return false,
        }
    }
    let head = String::from_utf8(head).unwrap();
    assert!(head.starts_with("POST /v1/x?y=z HTTP/1.1\r\n"), "{head}");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    stream.read_exact(&mut body).await.is_ok()
}

/// A way to this URL and nowhere else.
pub(crate) fn way_to(url: &str) -> Egress {
    Egress::new([Destination::of(url).unwrap()], Limits::default())
}

/// Sends a few words there and reads the answer.
pub(crate) async fn post(egress: &Egress, url: &str) -> Result<(u16, Vec<u8>), Error> {
    let body = Bytes::from_static(b"hello");
    let answer = egress.post(Outgoing { url, headers: HeaderMap::new(), body }).await?;
    Ok((answer.status(), answer.whole().await?))
}
