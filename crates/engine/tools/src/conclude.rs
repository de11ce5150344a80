//! Closing the calls of a run that nobody takes up again.

use tool::Failure;
use types::{
    AgentId, AuditDraft, Author, Commit, Domain, Guard, InvocationId, InvocationState, Label,
    RecordDraft, RunKey, ToolInvocation, Write,
};

use crate::steps::SETTLE;
use crate::{Error, Executor, Receipt, Settled};

impl Executor {
    /// Settles every call of a run that is over: what the journal knows was done, and what it does not
    /// know failed for this reason, so that both files say the same. It is safe to ask as often as one
    /// likes. The guards are what must hold for nobody to take the run up meanwhile.
    ///
    /// # Errors
    /// If the store cannot read or write, or leaves open whether something was done. Nothing is lost: what is
    /// open can be settled later.
    pub async fn conclude(
        &self,
        agent: &AgentId,
        run: &RunKey,
        why: &Failure,
        guards: &[Guard],
    ) -> Result<(), Error> {
        for id in self.unsettled(agent).await? {
            let Some((_, record)) = self.invocation(&id).await? else { continue };
            if record.run_key != *run {
                continue;
            }
            match self.settle(&id).await? {
                Settled::Answered(_) => {}
                Settled::NotDone => self.fail_open(&id, why, guards).await?,
                Settled::Unknown => return Err(Error::InDoubt),
            }
        }
        Ok(())
    }

    /// Writes down that a call was not done and is not tried any more.
    async fn fail_open(
        &self,
        id: &InvocationId,
        why: &Failure,
        guards: &[Guard],
    ) -> Result<(), Error> {
        let Some((revision, record)) = self.invocation(id).await? else { return Ok(()) };
        if !record.state.is_open() {
            return Ok(());
        }
        let receipt = Receipt::of_record(id, &record, Err(why.clone()));
        let (kept, result) = receipt.keep(record.arguments.subject.clone(), Label::runtime());
        let state = InvocationState::Failed { result, error: receipt.error() };
        let how = ("tool.failed", why.kind.as_str());
        let commit = self.closes(id, (revision, record), state, vec![kept], how);
        self.write(guards.iter().cloned().fold(commit, Commit::guarded)).await
    }

    /// The commit that says how a call ended that was open, unless somebody else has said so since. The
    /// runtime found out, whoever the claim belongs to by now.
    pub(crate) fn closes(
        &self,
        id: &InvocationId,
        (revision, record): (u64, ToolInvocation),
        state: InvocationState,
        mut writes: Vec<Write>,
        (action, how): (&'static str, &str),
    ) -> Commit {
        let (subject, detail) = (id.to_string(), format!("{how}:{}", record.tool));
        writes.push(Write::Record(RecordDraft::live(id, ToolInvocation { state, ..record })));
        let commit = Commit::new(Domain::Agent, Author::Runtime, self.world.now(), writes);
        Commit {
            guards: vec![Guard::Revision { record: id.into(), expected: revision }],
            audit: vec![AuditDraft { action, subject, detail }],
            ..commit.named(SETTLE)
        }
    }
}
