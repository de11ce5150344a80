//! What an agent listens for.

use rules::matching::draft;
use rules::predicate;
use rules::run_key::{self, Cause};
use types::{
    AgentId, Author, Commit, Domain, Guard, Predicate, RecordDraft, Subscription, SubscriptionId,
    Token, Write,
};

use crate::steps::SUBSCRIBE;
use crate::{Error, Fleet};

impl Fleet {
    /// Makes an agent listen for changes, for a purpose; the same purpose again takes the place of
    /// the first. One look follows: what it would have heard of is not lost between the two.
    ///
    /// # Errors
    /// If the predicate is over something that no record has, or the agent is not there.
    pub async fn subscription_put(
        &self,
        agent: &AgentId,
        purpose: &str,
        tokens: Vec<Token>,
        predicate: Option<Predicate>,
        active: bool,
    ) -> Result<SubscriptionId, Error> {
        if let Some(predicate) = &predicate {
            predicate::validate(predicate)?;
        }
        self.agent_get(agent.as_str()).await?;
        let id = run_key::subscription_id(agent, purpose, "");
        let before = self.store.record(Domain::Agent, (&id).into()).await?;
        let revision = before.map_or(0, |record| record.revision);
        let body = Subscription { active, predicate, ..Subscription::to(agent.clone(), tokens) };
        let name = format!("{id}@{revision}");
        let tick = Cause::Tick { cause: "subscription", cause_id: &name };
        let writes = vec![
            Write::Record(RecordDraft::live(&id, body)),
            Write::QueueRun(draft(agent, &tick, Some(id.to_string()))),
        ];
        let now = self.world.now();
        let commit = Commit::new(Domain::Agent, Author::Operator, now, writes).named(SUBSCRIBE);
        let guard = Guard::Revision { record: (&id).into(), expected: revision };
        self.commit(commit.guarded(guard)).await?;
        Ok(id)
    }
}
