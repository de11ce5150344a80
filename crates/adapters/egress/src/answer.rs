//! An answer, read piece by piece.

use std::sync::Arc;

use http_body_util::BodyExt;
use hyper::HeaderMap;
use hyper::body::{Body, Bytes, Incoming};
use tokio::time::{Instant, timeout, timeout_at};

use crate::connect::Connection;
use crate::limits::DRAIN_FOR;
use crate::pool::Pool;
use crate::{Destination, Error, Stage};

/// An answer whose head has come. Whoever drops it before its end closes the connection.
pub struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Incoming,
    read: usize,
    bytes_max: usize,
    deadline: Instant,
    way: Option<Way>,
}

/// The connection that an answer comes by, and where it is kept afterwards.
pub(crate) struct Way {
    pub(crate) connection: Connection,
    pub(crate) destination: Destination,
    pub(crate) pool: Arc<Pool>,
}

impl Answer {
    pub(crate) fn new(
        response: hyper::Response<Incoming>,
        way: Way,
        bytes_max: usize,
        deadline: Instant,
    ) -> Answer {
        let (head, body) = response.into_parts();
        let status = head.status.as_u16();
        Answer { status, headers: head.headers, body, read: 0, bytes_max, deadline, way: Some(way) }
    }

    /// Its status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// Its head.
    #[must_use]
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The next piece; none at the end.
    ///
    /// # Errors
    /// If it breaks off, takes too long or is too long.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        let bytes_max = self.bytes_max;
        // What is known to be too long beforehand need not be read.
        if self.read == 0 && self.body.size_hint().lower() > bytes_max as u64 {
            return Err(Error::TooLong { bytes_max });
        }
        loop {
            let frame = timeout_at(self.deadline, self.body.frame()).await;
            let frame = frame.map_err(|_| Error::Timeout { stage: Stage::Body })?;
            let Some(frame) = frame else {
                self.keep();
                return Ok(None);
            };
            let frame = frame.map_err(|source| Error::Body { source: Box::new(source) })?;
            // Trailers say nothing that anybody asked for.
            let Ok(bytes) = frame.into_data() else { continue };
            self.read += bytes.len();
            if self.read > bytes_max {
                return Err(Error::TooLong { bytes_max });
            }
            return Ok(Some(bytes));
        }
    }

    /// All of it.
    ///
    /// # Errors
    /// As for a piece.
    pub async fn whole(mut self) -> Result<Vec<u8>, Error> {
        let mut whole = Vec::new();
        while let Some(bytes) = self.chunk().await? {
            whole.extend_from_slice(&bytes);
        }
        Ok(whole)
    }

    /// Has heard enough. The end is awaited for a moment, so that the connection can be used again.
    pub async fn close(mut self) {
        let to_the_end = async { while let Ok(Some(_)) = self.chunk().await {} };
        // If it does not come, the connection is closed instead.
        let _ = timeout(DRAIN_FOR, to_the_end).await;
    }

    fn keep(&mut self) {
        if let Some(Way { connection, destination, pool }) = self.way.take() {
            pool.keep(destination, connection);
        }
    }
}
