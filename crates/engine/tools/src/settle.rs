//! Resolving what a crash left open: an intent without a result.

use store::{Listing, StoreError};
use types::{
    AgentId, BodyType, Compliance, Conflict, Domain, InvocationId, InvocationState, Operation,
    ToolInvocation, limits,
};

use crate::record::links;
use crate::{Error, Executor, Receipt};

/// How often it is looked at anew because somebody else settles it at the same time.
const TRIES: u32 = 4;

/// What became of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Settled {
    /// It has its answer.
    Answered(Box<Receipt>),
    /// It was not done. It can be called again under the same name.
    NotDone,
    /// That cannot be said before the files are opened anew. It must not be taken for either.
    Unknown,
}

impl Executor {
    /// What became of a call that was written down. If nobody wrote down how it ended, the journal is
    /// asked: an operation that it knows was done, and one that it does not know was not. It is safe to
    /// ask as often as one likes.
    ///
    /// # Errors
    /// If the store cannot read or write.
    pub async fn settle(&self, id: &InvocationId) -> Result<Settled, Error> {
        let mut moved = None;
        for _ in 0..TRIES {
            let Some((revision, record)) = self.invocation(id).await? else {
                return Ok(Settled::NotDone);
            };
            if !record.state.is_open() {
                return Ok(Settled::Answered(Box::new(self.kept(id, &record).await?)));
            }
            match self.ask().await {
                Ok(()) => {}
                Err(StoreError::Io { .. } | StoreError::Closed) => return Ok(Settled::Unknown),
                Err(error) => return Err(error.into()),
            }
            let known = match record.operation {
                Some(operation) => self.store.operation(Domain::Journal, operation).await?,
                None => None,
            };
            let Some(operation) = known else { return Ok(Settled::NotDone) };
            match self.settle_as_done(id, (revision, record), &operation).await {
                Err(Error::Conflict(conflict @ Conflict::Revision { .. })) => {
                    moved = Some(conflict);
                }
                other => return other.map(|receipt| Settled::Answered(Box::new(receipt))),
            }
        }
        Err(moved.expect("it is settled unless somebody else was faster").into())
    }

    /// An agent's calls of which nobody wrote down how they ended.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn unsettled(&self, agent: &AgentId) -> Result<Vec<InvocationId>, Error> {
        let mut found = Vec::new();
        for state in [InvocationState::Intended, InvocationState::Unknown] {
            let listing = Listing {
                subtype: Some(state.as_str().to_owned()),
                ..Listing::of(
                    agent.as_str(),
                    BodyType::AgentToolInvocation,
                    limits::ROWS_PER_READ_MAX,
                )
            };
            let records = self.store.records(Domain::Agent, listing).await?;
            let ids = records.into_iter().filter_map(|record| record.id.as_str().parse().ok());
            found.extend(ids);
        }
        Ok(found)
    }

    /// Writes down that it was done after all.
    async fn settle_as_done(
        &self,
        id: &InvocationId,
        (revision, record): (u64, ToolInvocation),
        operation: &Operation,
    ) -> Result<Receipt, Error> {
        let (success, label) = self.known_to_journal(operation).await?;
        let told = self.origin_of_kept(&success.payload).await?;
        let receipt = Receipt { told, ..Receipt::of_record(id, &record, Ok(success)) };
        let (content, result) = receipt.keep(record.arguments.subject.clone(), label);
        let state = receipt.done(result, Compliance::Recovered);
        let changed = receipt.result.as_ref().map_or(&[][..], |ok| &ok.changed[..]);
        let writes = links(id, changed).chain([content]).collect();
        let how = ("tool.done", "recovered");
        self.write(self.closes(id, (revision, record), state, writes, how)).await?;
        Ok(receipt)
    }
}
