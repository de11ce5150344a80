//! Tasks and those who tend them.

use types::{Body, Domain, Lifecycle, Relation, Task, TaskId};

use crate::{AgentView, Error, Fleet};

impl Fleet {
    /// Who tends a task, found through the link between them; those who are over tend nothing.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn agent_of_task(&self, task: &TaskId) -> Result<Option<AgentView>, Error> {
        for link in self.store.links_to(Domain::Agent, task.into(), Relation::AgentTask).await? {
            let agent = self.agent_get(link.from.as_str()).await?;
            if !matches!(agent.identity.lifecycle, Lifecycle::Destroyed { .. }) {
                return Ok(Some(agent));
            }
        }
        Ok(None)
    }

    /// An agent that was made for a task goes on only if that is there. It may be back: undone, or
    /// brought by another host.
    pub(crate) async fn has_its_task(&self, agent: &AgentView) -> Result<(), Error> {
        let Some(task) = &agent.identity.task_id else { return Ok(()) };
        match self.task(task).await? {
            Some(_) => Ok(()),
            None => Err(Error::TaskGone { agent: agent.id.clone(), task: task.clone() }),
        }
    }

    /// A task that is there; one that was removed is not.
    pub(crate) async fn task(&self, id: &TaskId) -> Result<Option<Task>, Error> {
        let record = self.store.record(Domain::Journal, id.into()).await?;
        let live = record.filter(|record| record.deleted_at.is_none());
        Ok(live.and_then(|record| match record.body {
            Body::Task(task) => Some(task),
            _ => None,
        }))
    }
}
