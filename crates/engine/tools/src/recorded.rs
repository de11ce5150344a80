//! Answering from what was kept.

use serde_json::Value;
use tool::Call;
use types::{
    Compliance, Content, Domain, InvocationId, InvocationState, Label, Operation, ToolInvocation,
};

use crate::standing::Standing;
use crate::work::Work;
use crate::{Error, Executor, Left, Receipt, Success};

impl Executor {
    /// The answer of a call that was done before. If only the journal knows of it, its record is
    /// written now.
    pub(crate) async fn recorded(
        &self,
        work: &Work,
        standing: &Standing,
        left: &mut Left,
    ) -> Result<Receipt, Error> {
        let done = |record: &ToolInvocation| matches!(record.state, InvocationState::Done { .. });
        match (&standing.record, &standing.operation) {
            (Some((_, record)), operation) if operation.is_none() || done(record) => {
                let receipt = self.kept(&work.invocation, record).await?;
                Ok(Receipt { repeated: true, ..receipt })
            }
            (_, operation) => {
                let operation = operation.as_ref().expect("what was done is known to somebody");
                let (success, _) = self.known_to_journal(operation).await?;
                work.tells(self.origin_of_kept(&success.payload).await?.as_ref());
                let receipt = Receipt { repeated: true, ..work.receipt(Ok(success)) };
                left.writes.push(work.keep_arguments());
                left.done(work, &receipt, Compliance::Recovered);
                Ok(receipt)
            }
        }
    }

    /// What a call was answered, as far as that was written down; a failure and a denial are answers too.
    /// Nothing is judged or done.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn recall(&self, call: &Call) -> Result<Option<Receipt>, Error> {
        let work = Work::new(&self.registry, call.clone(), None);
        let found = self.invocation(&work.invocation).await?.map(|(_, record)| record);
        let same = |record: &ToolInvocation| {
            record.tool == work.tool
                && record.arguments == work.arguments()
                && record.state.result().is_some()
        };
        match found.filter(same) {
            Some(record) => {
                let receipt = self.kept(&work.invocation, &record).await?;
                Ok(Some(Receipt { repeated: true, ..receipt }))
            }
            None => Ok(None),
        }
    }

    /// What a record says it was answered. An erased answer is answered with null.
    pub(crate) async fn kept(
        &self,
        id: &InvocationId,
        record: &ToolInvocation,
    ) -> Result<Receipt, Error> {
        let content = match record.state.result() {
            Some(at) => self.store.content(Domain::Agent, at.clone()).await?,
            None => None,
        };
        Ok(kept_in(id, record, content))
    }

    /// What an operation changed and was answered, as the journal knows it, and where the answer came from.
    pub(crate) async fn known_to_journal(
        &self,
        operation: &Operation,
    ) -> Result<(Success, Label), Error> {
        let content = self.store.content(Domain::Journal, operation.result.clone()).await?;
        let own = operation.author.label();
        let label = content.as_ref().map_or(own, |content| content.label.clone());
        Ok((self.success(parsed(content), operation.position).await?, label))
    }
}

/// The same from what lies where the record says.
pub(crate) fn kept_in(
    id: &InvocationId,
    record: &ToolInvocation,
    content: Option<Content>,
) -> Receipt {
    let changed = match &record.state {
        InvocationState::Done { changed, .. } => changed.clone(),
        _ => vec![],
    };
    let read = Receipt::from_json(&parsed(content), id.clone(), changed.clone());
    let erased = || Ok(Success { changed, ..Success::default() });
    read.unwrap_or_else(|| Receipt::of_record(id, record, erased()))
}

/// What lies there as JSON; null if it is erased or no such thing.
pub(crate) fn parsed(content: Option<Content>) -> Value {
    content.and_then(|content| serde_json::from_slice(&content.bytes).ok()).unwrap_or_default()
}
