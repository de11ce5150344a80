//! Routing.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use api_types::{BackupReply, Request, UploadReply};
use runtime::{Ask, Finder, Index, Runtime};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::watch;
use types::{Code, DeliverySurface, Problem};

use crate::journal;

/// Copies the files of a home into a new folder while everything goes on: the store is behind it, of which
/// the router knows nothing else.
pub type Backup =
    Arc<dyn Fn(PathBuf) -> Pin<Box<dyn Future<Output = Result<(), Problem>> + Send>> + Send + Sync>;

/// Answers requests.
#[derive(Clone)]
pub struct Router {
    pub(crate) runtime: Runtime,
    pub(crate) finder: Finder,
    /// The door that the operator's words come through.
    pub(crate) door: DeliverySurface,
    /// Says when nobody is to wait any more; absent if that never comes.
    pub(crate) stops: Option<watch::Receiver<bool>>,
    /// How the home is backed up; absent if that is not done through requests.
    backup: Option<Backup>,
}

impl Router {
    /// Answers programs of this machine's user with this runtime, and finds with this index.
    #[must_use]
    pub fn new(runtime: Runtime, index: Arc<dyn Index>) -> Router {
        let finder = Finder::new(&runtime.journal, index);
        Router { runtime, finder, door: DeliverySurface::CliPrompt, stops: None, backup: None }
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

    /// The same for a home that can be backed up while it is open.
    #[must_use]
    pub fn backed_up_by(self, backup: Backup) -> Router {
        Router { backup: Some(backup), ..self }
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
            Request::Backup { into } => json(&self.backup(into).await?),
            other => self.answer_agent(other).await,
        }
    }

    /// A token lets in whoever speaks for the operator, not whoever may write files as the operator: that is
    /// for the door that the files' own permissions guard.
    async fn backup(&self, into: String) -> Result<BackupReply, Problem> {
        if self.door != DeliverySurface::CliPrompt {
            let message = "a backup is not made over HTTP";
            let hint = "`dormouse backup DIR` makes one while the server runs; so does the call on the \
                        local socket";
            return Err(Problem::new(Code::NotAdmissible, message, hint));
        }
        let folder = PathBuf::from(&into);
        if !folder.is_absolute() {
            let message = format!("{into:?} is not a whole path");
            let hint = "begin it at the root: a server has a working folder of its own";
            return Err(Problem::new(Code::WrongUsage, message, hint));
        }
        let Some(backup) = &self.backup else {
            let message = "this home is not backed up through requests";
            return Err(Problem::new(Code::NotAdmissible, message, "use `dormouse backup DIR`"));
        };
        backup(folder).await?;
        Ok(BackupReply { backup: into })
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
