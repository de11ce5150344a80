//! Writing down what came of what was done.

use rules::hash;
use types::{
    Author, ChangedRecord, Commit, Compliance, Domain, InvocationId, InvocationState, LinkDraft,
    LinkId, Outcome, Position, RecordDraft, RecordId, Relation, Token, Write, Wrote, limits,
};

use crate::effect::Carried;
use crate::intend::{audit, audit_of_denial, denial};
use crate::steps::{DENY, RECORD};
use crate::work::Work;
use crate::{Error, Executor, Left, Open, Receipt, Success};

impl Executor {
    /// The answer to what was carried out, and what is to be written of it.
    pub(crate) async fn came_of(
        &self,
        work: &Work,
        carried: Carried,
        left: &mut Left,
    ) -> Result<Receipt, Error> {
        match carried {
            Carried::Done { payload, position, wrote, again } => {
                let success = match wrote {
                    Some(Wrote { records: changed, tokens: changed_tokens }) => {
                        Success { changed, changed_tokens, payload }
                    }
                    None => self.success(payload, position).await?,
                };
                let receipt = Receipt { repeated: again, ..work.receipt(Ok(success)) };
                let compliance = if again { Compliance::Recovered } else { Compliance::Compliant };
                left.done(work, &receipt, compliance);
                Ok(receipt)
            }
            Carried::Failed(failure) => {
                let receipt = work.receipt(Err(failure));
                left.answered(work, &receipt);
                left.audit.push(audit(work, "tool.failed", code(&receipt)));
                Ok(receipt)
            }
            Carried::Denied(denied) if denied.is_stop() => {
                // Nothing was done, and whoever takes the run up again finds the intent as it is. The
                // stopped cannot write, so this is the runtime's to say, at once.
                let now = self.world.now();
                let audit = vec![audit_of_denial(work, &denied)];
                let commit = Commit::new(Domain::Agent, Author::Runtime, now, vec![]).named(DENY);
                self.write(Commit { audit, ..commit }).await?;
                Ok(denial(work, &denied))
            }
            Carried::Denied(denied) => {
                let receipt = denial(work, &denied);
                left.denied(work, &receipt, denied.rule);
                left.audit.push(audit_of_denial(work, &denied));
                Ok(receipt)
            }
            Carried::Unknown(failure) => {
                let in_doubt = Some(Open::InDoubt);
                let receipt = Receipt { open: in_doubt, ..work.receipt(Err(failure)) };
                left.state(work, InvocationState::Unknown);
                left.audit.push(audit(work, "tool.unknown", code(&receipt)));
                Ok(receipt)
            }
        }
    }

    /// What was changed and what it is about, from the change log; what each record has seen, from the
    /// records themselves.
    pub(crate) async fn success(
        &self,
        payload: serde_json::Value,
        position: Option<Position>,
    ) -> Result<Success, Error> {
        let Some(Position(position)) = position else {
            return Ok(Success { payload, ..Success::default() });
        };
        let before = Position(position.saturating_sub(1));
        let changes = self.store.changes(Domain::Journal, before, 1).await?;
        // A log that was trimmed begins later, with somebody else's change.
        let own = changes.into_iter().find(|change| change.position.0 == position);
        let changed_tokens = own.map(|change| change.tokens).unwrap_or_default();
        let ids: Vec<RecordId> = changed_tokens.iter().filter_map(Token::record).collect();
        let mut changed = Vec::new();
        for page in ids.chunks(limits::ROWS_PER_READ_MAX) {
            let records = self.store.records_by_id(Domain::Journal, page.to_vec()).await?;
            let read = records.into_iter();
            changed.extend(read.map(|one| ChangedRecord { id: one.id, clock: one.clock }));
        }
        changed.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(Success { changed, changed_tokens, payload })
    }

    /// Writes what is left, in as few commits as hold it.
    ///
    /// # Errors
    /// If the claim is over, or the store cannot write.
    pub async fn write_left(&self, author: Author, left: Left) -> Result<(), Error> {
        if left.is_empty() {
            return Ok(());
        }
        self.write(left.into_commit(author, self.world.now()).named(RECORD)).await
    }

    /// Writes in as few commits as hold it. A record comes after what it points to and the audit with
    /// the last, so what was not reached is as it was, and is settled later.
    pub(crate) async fn write(&self, mut commit: Commit) -> Result<(), Error> {
        while commit.writes.len() > limits::COMMIT_WRITES_MAX {
            let later = commit.writes.split_off(limits::COMMIT_WRITES_MAX);
            let audit = std::mem::take(&mut commit.audit);
            self.write_part(commit.clone()).await?;
            // What the first part has written is not as it was.
            commit.guards.retain(|guard| !matches!(guard, types::Guard::Revision { .. }));
            commit = Commit { writes: later, audit, ..commit };
        }
        self.write_part(commit).await
    }

    async fn write_part(&self, commit: Commit) -> Result<(), Error> {
        match self.store.commit(commit).await? {
            Outcome::Conflict(conflict) => Err(conflict.into()),
            Outcome::Applied(_) | Outcome::Idempotent(_) => Ok(()),
        }
    }
}

impl Left {
    /// A call was done: links to all it changed, its answer, its record.
    pub(crate) fn done(&mut self, work: &Work, receipt: &Receipt, compliance: Compliance) {
        let changed = receipt.result.as_ref().map_or(&[][..], |ok| &ok.changed[..]);
        self.writes.extend(links(&work.invocation, changed));
        let result = work.keep_answer(receipt, &mut self.writes);
        self.state(work, receipt.done(result, compliance));
        let how = match compliance {
            Compliance::Compliant => "compliant",
            Compliance::Recovered => "recovered",
        };
        self.audit.push(audit(work, "tool.done", how));
    }

    /// A call that changed nothing was answered, well or not.
    pub(crate) fn answered(&mut self, work: &Work, receipt: &Receipt) {
        let result = work.keep_answer(receipt, &mut self.writes);
        let state = match receipt.error() {
            None => receipt.done(result, Compliance::Compliant),
            error => InvocationState::Failed { result, error },
        };
        self.state(work, state);
    }

    /// A call was denied by a rule.
    pub(crate) fn denied(&mut self, work: &Work, receipt: &Receipt, rule: &str) {
        let result = work.keep_answer(receipt, &mut self.writes);
        let (rule, error) = (rule.to_owned(), receipt.error());
        self.state(work, InvocationState::Denied { rule, result, error });
    }

    pub(crate) fn state(&mut self, work: &Work, state: InvocationState) {
        let record = RecordDraft::live(&work.invocation, work.record(state));
        self.writes.push(Write::Record(record));
    }
}

fn code(receipt: &Receipt) -> &'static str {
    receipt.result.as_ref().err().map_or("", |failure| failure.kind.as_str())
}

/// Links from a call to all that it changed.
pub(crate) fn links(
    invocation: &InvocationId,
    changed: &[ChangedRecord],
) -> impl Iterator<Item = Write> {
    changed.iter().map(move |one| {
        let fields = ["tool_effect", invocation.as_str(), one.id.as_str()];
        Write::Link(LinkDraft {
            id: LinkId::from_digest(&hash::fields(fields)),
            from: invocation.into(),
            to: one.id.clone(),
            relation: Relation::ToolEffect,
            hidden: false,
            body: serde_json::Map::new(),
            deleted: false,
        })
    })
}
