//! The server.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::header::AUTHORIZATION;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::body::{Sent, answer};
use crate::{Asked, Reply, Script, check};

/// How many requests are remembered: enough for a test, nothing for a benchmark.
const REMEMBERED: usize = 32;

/// A server that answers until it is dropped; then its connections break.
pub struct ChatServer {
    address: SocketAddr,
    desk: Arc<Desk>,
    _stop: oneshot::Sender<Infallible>,
}

struct Desk {
    script: Script,
    key: Option<String>,
    calls: AtomicU64,
    connections: AtomicU64,
    remembered: Mutex<VecDeque<Arc<Asked>>>,
}

impl ChatServer {
    /// A server on a free port of this machine, in the tokio runtime that calls.
    ///
    /// # Panics
    /// If the machine has no port left.
    #[must_use]
    pub fn start(script: Script) -> ChatServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let (server, serving) = ChatServer::on(listener, script, None).expect("it can listen");
        tokio::spawn(serving);
        server
    }

    /// A server on a free port of this machine, in a thread of its own.
    ///
    /// # Panics
    /// If the machine has no port or no thread left.
    #[must_use]
    pub fn start_apart(script: Script) -> ChatServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("there is room for a thread");
        let inside = runtime.enter();
        let (server, serving) = ChatServer::on(listener, script, None).expect("it can listen");
        drop(inside);
        thread::spawn(move || runtime.block_on(serving));
        server
    }

    /// A server behind this listener that lets in whoever has the key, and what it takes to run it.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn on(
        listener: TcpListener,
        script: Script,
        key: Option<String>,
    ) -> io::Result<(ChatServer, impl Future<Output = ()> + Send + 'static)> {
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let (stop, stopped) = oneshot::channel();
        let desk = Arc::new(Desk {
            script,
            key,
            calls: AtomicU64::new(0),
            connections: AtomicU64::new(0),
            remembered: Mutex::default(),
        });
        let serving = serve(listener, Arc::clone(&desk), stopped);
        Ok((ChatServer { address, desk, _stop: stop }, serving))
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What a provider's `base_url` has to be.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// How many requests have come, whatever became of them.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.desk.calls.load(Ordering::Relaxed)
    }

    /// How many connections were opened.
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.desk.connections.load(Ordering::Relaxed)
    }

    /// The last requests that it understood, oldest first.
    #[must_use]
    pub fn asked(&self) -> Vec<Arc<Asked>> {
        let remembered = self.desk.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        remembered.iter().cloned().collect()
    }
}

/// Takes connections until nobody holds the server any more; they end with it.
async fn serve(
    listener: tokio::net::TcpListener,
    desk: Arc<Desk>,
    mut stopped: oneshot::Receiver<Infallible>,
) {
    let mut talks = JoinSet::new();
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // Out of handles, say: the next one may be luckier.
                Err(_) => continue,
            },
            Some(_) = talks.join_next() => continue,
            _ = &mut stopped => return,
        };
        // If it cannot be set, answers are a little late.
        let _ = stream.set_nodelay(true);
        desk.connections.fetch_add(1, Ordering::Relaxed);
        let desk = Arc::clone(&desk);
        talks.spawn(async move {
            let service = service_fn(|request| respond(&desk, request));
            // A connection that breaks is its caller's affair, or the script's.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn respond(desk: &Desk, request: Request<Incoming>) -> Result<Response<Sent>, hyper::Error> {
    let n = desk.calls.fetch_add(1, Ordering::Relaxed);
    let (asked, reply) = match read(desk, n, request).await? {
        Ok(asked) => {
            let reply = desk.script.answer(&asked);
            (Some(asked), reply)
        }
        Err(refused) => (None, *refused),
    };
    let response = answer(asked.as_deref(), reply);
    match response {
        Some(response) => Ok(response),
        None => std::future::pending().await,
    }
}

async fn read(
    desk: &Desk,
    n: u64,
    request: Request<Incoming>,
) -> Result<Result<Arc<Asked>, Box<Reply>>, hyper::Error> {
    let path = request.uri().path();
    if request.method() != Method::POST || !path.ends_with("/chat/completions") {
        let message = format!("Invalid URL ({} {path})", request.method());
        return Ok(Err(Box::new(Reply::error(404, "invalid_request_error", None, None, &message))));
    }
    let bearer = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let key = bearer.and_then(|value| value.strip_prefix("Bearer ")).map(str::to_owned);
    if desk.key.is_some() && desk.key != key {
        return Ok(Err(Box::new(Reply::bad_key(key.as_deref().unwrap_or_default()))));
    }
    let bytes = request.into_body().collect().await?.to_bytes();
    let outline = match check::outline(&bytes) {
        Ok(outline) => outline,
        Err(refused) => return Ok(Err(refused)),
    };
    let asked = Arc::new(Asked { n, key, outline, bytes });
    let mut remembered = desk.remembered.lock().unwrap_or_else(PoisonError::into_inner);
    if remembered.len() == REMEMBERED {
        remembered.pop_front();
    }
    remembered.push_back(Arc::clone(&asked));
    drop(remembered);
    Ok(Ok(asked))
}
