//! Routing.

use api_types::{CategoryReply, Request, TaskReply};
use runtime::{CreateTask, Runtime};
use serde::Serialize;
use serde_json::Value;
use types::Problem;

use crate::replies;

/// Answers requests.
#[derive(Clone)]
pub struct Router {
    pub(crate) runtime: Runtime,
}

impl Router {
    /// Answers with this runtime.
    #[must_use]
    pub fn new(runtime: Runtime) -> Router {
        Router { runtime }
    }

    /// Answers one request.
    ///
    /// # Errors
    /// What went wrong, as users see it.
    pub async fn answer(&self, request: Request) -> Result<Value, Problem> {
        match request {
            Request::TaskCreate { title, category, request_id } => {
                let params = CreateTask { title, category, request: request_id };
                json(&replies::task(self.runtime.journal.task_create(params).await?))
            }
            Request::TaskGet { task } => {
                json(&replies::task(self.runtime.journal.task_get(&task).await?))
            }
            Request::TaskList { category } => {
                let tasks = self.runtime.journal.task_list(category.as_deref()).await?;
                json(&tasks.into_iter().map(replies::task).collect::<Vec<TaskReply>>())
            }
            Request::CategoryList => {
                let categories = self.runtime.journal.category_list().await?;
                json(&categories.into_iter().map(replies::category).collect::<Vec<CategoryReply>>())
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
