//! A look that waits to be tried again, and another that has seen meanwhile what it was for.

use types::{At, Body, Domain, LastTurn, RecordId, Run};

use crate::{Error, Waker};

impl Waker {
    /// Whether another turn of the agent has looked since a run failed, and came to a good end. A run that has left
    /// a turn goes on with that, since it has begun to do something; and of one that has left no word of how it
    /// failed nobody knows what it has spent.
    pub(crate) async fn is_overtaken(
        &self,
        run: &Run,
        last: Option<&LastTurn>,
    ) -> Result<bool, Error> {
        let (Some(tried_at), Some(good)) =
            (tried_at(run), last.and_then(|last| last.good.as_ref()))
        else {
            return Ok(false);
        };
        let key = &run.draft.run_key;
        let own = RecordId::from(rules::turn::id(key));
        let word = RecordId::from(rules::turn::failed_id(key, run.attempt - 1));
        let ids = vec![own.clone(), word.clone(), good.into()];
        let found = self.store.records_by_id(Domain::Agent, ids).await?;
        let has_left = |id: &RecordId| found.iter().any(|record| record.id == *id);
        let looked_since = found.iter().any(|record| match &record.body {
            Body::AgentTurn(turn) => turn.began_at > tried_at,
            _ => false,
        });
        Ok(looked_since && has_left(&word) && !has_left(&own))
    }
}

/// When a look was last tried, if it was.
fn tried_at(run: &Run) -> Option<At> {
    run.started_at.filter(|_| run.attempt > 0 && run.draft.only_looks())
}
