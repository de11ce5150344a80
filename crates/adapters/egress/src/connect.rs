//! Opening a connection.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::check::may_lead;
use crate::error::unconnected;
use crate::{Destination, Error, Scheme};

/// One end of a connection; the other end is a task that lives as long as it is held.
pub(crate) type Connection = SendRequest<Full<Bytes>>;

/// Opens a connection to a destination that is allowed.
pub(crate) async fn connect(
    destination: &Destination,
    tls: impl FnOnce() -> TlsConnector,
) -> Result<Connection, Error> {
    let stream = reach(destination, &resolve(destination).await?).await?;
    // Small requests that somebody waits for; if it cannot be set, they are a little late.
    let _ = stream.set_nodelay(true);
    match destination.scheme() {
        Scheme::Http => speak(destination, stream).await,
        Scheme::Https => {
            let name = ServerName::try_from(destination.host().to_owned());
            let name = name.map_err(|_| Error::BadUrl { reason: "its host is no name".into() })?;
            let stream = tls().connect(name, stream).await;
            speak(destination, stream.map_err(|error| unconnected(destination, error))?).await
        }
    }
}

/// The addresses of a destination, all of which it may have: one that it may not is a lie, and whoever
/// lies once is not believed about the others.
async fn resolve(destination: &Destination) -> Result<Vec<SocketAddr>, Error> {
    let (host, port) = (destination.host(), destination.port());
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    let found = lookup_host((host, port)).await;
    let found: Vec<SocketAddr> = found.map_err(|error| unconnected(destination, error))?.collect();
    match found.iter().find(|address| !may_lead(destination, address.ip())) {
        Some(wrong) => Err(Error::Misled { host: host.to_owned(), address: wrong.ip() }),
        None => Ok(found),
    }
}

/// How long an address may keep the others waiting: one that a network silently drops would use up all the
/// time there is.
const NEXT_AFTER: Duration = Duration::from_secs(2);

/// The first address that answers.
#[expect(clippy::disallowed_methods, reason = "this is the one way out")]
async fn reach(destination: &Destination, addresses: &[SocketAddr]) -> Result<TcpStream, Error> {
    let mut last = io::Error::other("the name has no address");
    for (place, address) in addresses.iter().enumerate() {
        let connecting = TcpStream::connect(address);
        let connected = match place + 1 == addresses.len() {
            true => connecting.await,
            false => timeout(NEXT_AFTER, connecting)
                .await
                .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())),
        };
        match connected {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(unconnected(destination, last))
}

async fn speak(
    destination: &Destination,
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
) -> Result<Connection, Error> {
    let opened = http1::handshake(TokioIo::new(stream)).await;
    let (connection, task) = opened.map_err(|error| Error::Connect {
        destination: destination.to_string(),
        source: Box::new(error),
    })?;
    // Its end is seen by whoever holds the other end.
    tokio::spawn(task);
    Ok(connection)
}
