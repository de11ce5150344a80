//! What the agent of a task has to say of it.

use store::StoreError;
use types::{AgentId, At, Domain, RecordId, Relation, ReportScope, TaskId};

use crate::Memory;

/// The report of the agent that tends a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskReport {
    /// Which agent.
    pub agent: AgentId,
    /// When it was written.
    pub written_at: At,
    /// Its words, in Markdown.
    pub content: String,
}

impl Memory {
    /// The current report of the agent that tends a task, or of the last one that did and wrote one.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn report_of_task(&self, task: &TaskId) -> Result<Option<TaskReport>, StoreError> {
        let task = RecordId::from(task);
        for link in self.store.links_to(Domain::Agent, task, Relation::AgentTask).await? {
            let Ok(agent) = link.from.as_str().parse::<AgentId>() else { continue };
            if let Some((_, report)) = self.standing(&agent, ReportScope::Current).await? {
                let written_at = report.written_at;
                let content = self.words(report.content).await?;
                return Ok(Some(TaskReport { agent, written_at, content }));
            }
        }
        Ok(None)
    }
}
