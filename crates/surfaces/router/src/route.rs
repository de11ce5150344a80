//! Routing.

use std::sync::Arc;

use api_types::{Request, UploadReply};
use runtime::{Ask, Finder, Index, Runtime};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::watch;
use types::{DeliverySurface, Problem};

use crate::journal;

/// Answers requests.
#[derive(Clone)]
pub struct Router {
    pub(crate) runtime: Runtime,
    pub(crate) finder: Finder,
    /// The door that the operator's words come through.
    pub(crate) door: DeliverySurface,
    /// Says when nobody is to wait any more; absent if that never comes.
    pub(crate) stops: Option<watch::Receiver<bool>>,
}

impl Router {
    /// Answers programs of this machine's user with this runtime, and finds with this index.
    #[must_use]
    pub fn new(runtime: Runtime, index: Arc<dyn Index>) -> Router {
        let finder = Finder::new(&runtime.journal, index);
        Router { runtime, finder, door: DeliverySurface::CliPrompt, stops: None }
    }

    /// The same for whoever comes over HTTP, once the token was checked.
    #[must_use]
    pub fn over_http(&self) -> Router {
        Router { door: DeliverySurface::HttpControlPrompt, ..self.clone() }
    }

    /// The same for a server that is told to stop one day: whoever waits for a run then is told where it
    /// stands, instead of being cut off.
    #[must_use]
    pub fn until(self, stops: watch::Receiver<bool>) -> Router {
        Router { stops: Some(stops), ..self }
    }

    /// Answers one request.
    ///
    /// # Errors
    /// What went wrong, as users see it.
    pub async fn answer(&self, request: Request) -> Result<Value, Problem> {
        match request {
            Request::Look(look) => self.look(look).await,
            Request::Do { verb, arguments, request_id, preview } => {
                let ask = Ask { verb, arguments, request: request_id, preview };
                json(&journal::done(self.runtime.journal.perform(ask).await?))
            }
            Request::Undo { what, request_id } => {
                json(&journal::done(self.runtime.undo(&what, request_id).await?))
            }
            Request::Import(params) => json(&self.import(params).await?),
            Request::ImportPiece { upload, piece, text } => {
                let upload = self.runtime.journal.import_piece(upload, piece, &text)?;
                json(&UploadReply { upload })
            }
            other => self.answer_agent(other).await,
        }
    }

    /// Does what a running server does by itself after a request: matches changes with who listens
    /// for them. Says how many wakes wait. If it fails, the next start does it.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn settle(&self) -> Result<usize, Problem> {
        self.runtime.settle().await
    }
}

#[expect(clippy::unnecessary_wraps, reason = "every arm of the router ends with it")]
pub(crate) fn json<T: Serialize>(reply: &T) -> Result<Value, Problem> {
    Ok(serde_json::to_value(reply).expect("replies are JSON"))
}
