//! How things stand for a call before it is judged.

use std::collections::BTreeSet;

use policy::{Denied, Earlier, Rights};
use store::StoreError;
use types::{
    AgentId, Author, Body, Capability, Commit, Domain, Fence, InvocationId, InvocationState,
    Operation, ToolCounts, ToolInvocation,
};

use crate::steps::ASK;
use crate::work::Work;
use crate::{Error, Executor};

/// The fences that a call has to pass. The journal's are raised before the agents' own and lifted after
/// them, so they are the ones that count.
#[derive(Debug, Clone)]
pub(crate) struct Fences {
    pub(crate) global: Fence,
    pub(crate) agent: Fence,
    /// The classes of tools that nobody may use.
    pub(crate) stopped: BTreeSet<Capability>,
}

/// What is known of a call from before, and how much of its quota is used.
pub(crate) struct Standing {
    /// The record of it, with its revision.
    pub(crate) record: Option<(u64, ToolInvocation)>,
    /// Its operation, if the journal knows it.
    pub(crate) operation: Option<Operation>,
    pub(crate) counts: ToolCounts,
    /// Another call of the same group has its name.
    pub(crate) clash: bool,
}

impl Standing {
    /// What is known under the call's name from before.
    pub(crate) fn earlier<'a>(&'a self, work: &Work) -> Option<Earlier<'a>> {
        if self.clash {
            return Some(Earlier { tool: "", agent: None, same_arguments: false, done: false });
        }
        let record = self.record.as_ref().map(|(_, record)| record);
        let same_arguments = record.is_none_or(|record| record.arguments == work.arguments());
        if let Some(operation) = &self.operation {
            let (tool, agent) = (operation.verb.as_str(), operation.author.agent());
            return Some(Earlier { tool, agent, same_arguments, done: true });
        }
        record.map(|record| Earlier {
            tool: &record.tool,
            agent: Some(&record.agent_id),
            same_arguments,
            done: matches!(record.state, InvocationState::Done { .. }),
        })
    }

    /// The revision at which the record of a call may be written, if it may: one that was done is not
    /// hidden by a denial, and another call's record is left alone. One that was begun or had failed, and was not
    /// done, ends by it, unless somebody was stopped: then it is taken up again.
    pub(crate) fn place_for_denial(&self, work: &Work, denied: &Denied) -> Option<u64> {
        match &self.record {
            _ if self.clash => None,
            None => Some(0),
            Some((revision, record)) => {
                // The journal was asked before: what it does not know was not done.
                let failed = matches!(record.state, InvocationState::Failed { .. });
                let not_done = (failed || record.state.is_open()) && self.operation.is_none();
                let ends = matches!(record.state, InvocationState::Denied { .. })
                    || not_done && !denied.is_stop();
                (work.is_recorded_as(record) && ends).then_some(*revision)
            }
        }
    }

    /// Whether the call was allowed before, and is tried again: the audit has that already.
    pub(crate) fn was_allowed(&self) -> bool {
        let denied = |state: &InvocationState| matches!(state, InvocationState::Denied { .. });
        self.record.as_ref().is_some_and(|(_, record)| !denied(&record.state))
    }

    /// The revision of the record as it was read.
    pub(crate) fn revision(&self) -> u64 {
        self.record.as_ref().map_or(0, |(revision, _)| *revision)
    }
}

impl Executor {
    /// The fences of a caller as they stand.
    pub(crate) async fn fences(&self, agent: &AgentId) -> Result<Fences, Error> {
        let around = self.store.fences_around(Domain::Journal, agent.clone()).await?;
        let stopped = around.stopped_tools.iter().filter_map(|class| Capability::named(class));
        Ok(Fences { stopped: stopped.collect(), global: around.everything, agent: around.own })
    }

    /// How things stand for a call. If it was tried before and nobody knows with what end, the journal
    /// is asked first.
    pub(crate) async fn standing(&self, work: &Work, rights: &Rights) -> Result<Standing, Error> {
        let record = self.invocation(&work.invocation).await?;
        if record.as_ref().is_some_and(|(_, record)| record.state.is_open()) {
            self.ask().await?;
        }
        let operation = match work.operation() {
            Some(id) => self.store.operation(Domain::Journal, id).await?,
            None => None,
        };
        let counts = self.counts(work, rights).await?;
        Ok(Standing { record, operation, counts, clash: false })
    }

    /// The record of a call, with its revision.
    pub(crate) async fn invocation(
        &self,
        id: &InvocationId,
    ) -> Result<Option<(u64, ToolInvocation)>, Error> {
        let found = self.store.record(Domain::Agent, id.into()).await?;
        Ok(found.and_then(|record| match record.body {
            Body::AgentToolInvocation(invocation) => Some((record.revision, *invocation)),
            _ => None,
        }))
    }

    /// Waits until everything that was handed to the journal is written or refused, so that a read
    /// after it knows. It fails while the disk leaves that in doubt.
    pub(crate) async fn ask(&self) -> Result<(), StoreError> {
        let nothing = Commit::new(Domain::Journal, Author::Runtime, self.world.now(), vec![]);
        self.store.commit(nothing.named(ASK)).await?;
        Ok(())
    }

    /// How often the tool was called; only what has a quota is counted.
    async fn counts(&self, work: &Work, rights: &Rights) -> Result<ToolCounts, Error> {
        if !rights.quotas.contains_key(&work.tool) {
            return Ok(ToolCounts::default());
        }
        let (agent, thread) = (work.call.agent.clone(), work.call.thread.clone());
        let (tool, call) = (work.tool.clone(), work.invocation.clone());
        Ok(self.store.tool_counts(agent, thread, tool, call, self.world.now()).await?)
    }
}
