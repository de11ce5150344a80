//! The way out.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{HOST, HeaderValue};
use hyper::{HeaderMap, Method, Request, Response, Uri};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::CertificateDer;

use crate::answer::Way;
use crate::connect::{Connection, connect};
use crate::pool::Pool;
use crate::{Answer, Destination, Error, Limits, Stage, tls};

/// What is to be sent.
pub struct Outgoing<'a> {
    /// Where to.
    pub url: &'a str,
    /// Its head.
    pub headers: HeaderMap,
    /// What it says.
    pub body: Bytes,
}

/// The way out. It is made once with all destinations that are allowed; what is not among them is denied.
#[derive(Clone)]
pub struct Egress {
    allowed: Arc<BTreeSet<Destination>>,
    limits: Limits,
    trusted: Arc<[CertificateDer<'static>]>,
    // Made when it is first needed: a home that only speaks to its own machine never does.
    tls: Arc<OnceLock<TlsConnector>>,
    pool: Arc<Pool>,
}

impl Egress {
    /// A way to these destinations.
    #[must_use]
    pub fn new(allowed: impl IntoIterator<Item = Destination>, limits: Limits) -> Egress {
        Egress {
            allowed: Arc::new(allowed.into_iter().collect()),
            limits,
            trusted: Arc::new([]),
            tls: Arc::default(),
            pool: Arc::default(),
        }
    }

    /// The same, trusting these authorities (DER) besides those that everybody trusts.
    #[must_use]
    pub fn trusting(self, authorities: impl IntoIterator<Item = Vec<u8>>) -> Egress {
        let trusted = authorities.into_iter().map(CertificateDer::from).collect();
        // With a pool of its own: a connection is worth what its authorities are.
        Egress { trusted, tls: Arc::default(), pool: Arc::default(), ..self }
    }

    /// Posts, and answers when the head of the answer has come.
    ///
    /// # Errors
    /// If the destination is not allowed, before anything is looked up or connected; if it cannot be
    /// reached in time; if the answer sends elsewhere.
    pub async fn post(&self, outgoing: Outgoing<'_>) -> Result<Answer, Error> {
        let (destination, uri) = Destination::split(outgoing.url)?;
        if !self.allowed.contains(&destination) {
            return Err(Error::Denied { destination: destination.to_string() });
        }
        let deadline = Instant::now() + self.limits.whole;
        let request = request(&destination, &uri, outgoing)?;
        let (response, connection) = self.exchange(&destination, request, deadline).await?;
        if response.status().is_redirection() {
            return Err(Error::Redirected { status: response.status().as_u16() });
        }
        let way = Way { connection, destination, pool: Arc::clone(&self.pool) };
        Ok(Answer::new(response, way, self.limits.response_bytes_max, deadline))
    }

    async fn exchange(
        &self,
        destination: &Destination,
        mut request: Request<Full<Bytes>>,
        deadline: Instant,
    ) -> Result<(Response<Incoming>, Connection), Error> {
        while let Some(mut kept) = self.pool.take(destination) {
            let ready = timeout_at(deadline, kept.ready()).await;
            if ready.map_err(|_| Error::Timeout { stage: Stage::Send })?.is_err() {
                continue;
            }
            let sent = timeout_at(deadline, kept.try_send_request(request)).await;
            match sent.map_err(|_| Error::Timeout { stage: Stage::Headers })? {
                Ok(response) => return Ok((response, kept)),
                // The other side hung up before it had any of it: it is sent by another connection.
                Err(mut error) => match error.take_message() {
                    Some(unsent) => request = unsent,
                    None => return Err(unsent(error.into_error())),
                },
            }
        }
        let mut connection = self.connect(destination, deadline).await?;
        let sent = timeout_at(deadline, connection.send_request(request)).await;
        let response = sent.map_err(|_| Error::Timeout { stage: Stage::Headers })?;
        Ok((response.map_err(unsent)?, connection))
    }

    async fn connect(
        &self,
        destination: &Destination,
        deadline: Instant,
    ) -> Result<Connection, Error> {
        let tls = || self.tls.get_or_init(|| tls::connector(&self.trusted)).clone();
        let left = deadline.saturating_duration_since(Instant::now()).min(self.limits.connect);
        let connected = timeout(left, connect(destination, tls)).await;
        connected.map_err(|_| Error::Timeout { stage: Stage::Connect })?
    }
}

fn request(
    destination: &Destination,
    uri: &Uri,
    outgoing: Outgoing<'_>,
) -> Result<Request<Full<Bytes>>, Error> {
    let bad = |_| Error::BadUrl { reason: "it has no path that can be asked for".to_owned() };
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let mut request = Request::new(Full::new(outgoing.body));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = path.parse().map_err(bad)?;
    *request.headers_mut() = outgoing.headers;
    let host = HeaderValue::from_str(&destination.authority());
    let host = host.map_err(|_| Error::BadUrl { reason: "its host is no name".to_owned() })?;
    request.headers_mut().insert(HOST, host);
    Ok(request)
}

fn unsent(source: hyper::Error) -> Error {
    Error::Send { source: Box::new(source) }
}
