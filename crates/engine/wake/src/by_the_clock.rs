//! What has come to pass by the clock alone since an agent last looked.

use rules::facts::{self, Finding, Relevance};
use types::{AgentIdentity, At, Body, Domain};

use crate::{Error, Waker};

impl Waker {
    /// What a look found; if that was nothing, whether the agent's task has become late since the last look. A due
    /// date wakes nobody by itself.
    pub(crate) async fn or_by_the_clock(
        &self,
        found: Finding,
        agent: &AgentIdentity,
        relevance: &Relevance,
        last_look: Option<At>,
    ) -> Result<Finding, Error> {
        let (Finding::Nothing(_), Some(task), Some(since)) = (&found, &agent.task_id, last_look)
        else {
            return Ok(found);
        };
        if *relevance == Relevance::Nothing {
            return Ok(found);
        }
        let task = self.store.record(Domain::Journal, task.into()).await?;
        let late = match task.filter(|record| record.deleted_at.is_none()).map(|task| task.body) {
            Some(Body::Task(task)) => {
                facts::is_late_since(&task, since, self.world.now(), &self.world.zone())
            }
            _ => false,
        };
        Ok(if late { Finding::Something("due_passed") } else { found })
    }
}
