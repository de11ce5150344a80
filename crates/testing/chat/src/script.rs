//! What the server says to whom.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::{Asked, Reply};

/// From a request to a reply.
#[derive(Clone)]
pub struct Script {
    answer: Arc<dyn Fn(&Asked) -> Reply + Send + Sync>,
}

impl Script {
    /// Whatever this says.
    pub fn of(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Script {
        Script { answer: Arc::new(answer) }
    }

    /// Always the same.
    #[must_use]
    pub fn always(reply: Reply) -> Script {
        Script::of(move |_| reply.clone())
    }

    /// One after the other; when they are used up the server fails.
    pub fn queue(replies: impl IntoIterator<Item = Reply>) -> Script {
        let left: Mutex<VecDeque<Reply>> = Mutex::new(replies.into_iter().collect());
        Script::of(move |_| {
            let next = left.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            next.unwrap_or_else(|| {
                Reply::error(500, "server_error", None, Some("script_over"), "the script is over")
            })
        })
    }

    pub(crate) fn answer(&self, asked: &Asked) -> Reply {
        (self.answer)(asked)
    }
}
