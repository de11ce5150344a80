//! Carrying out what was allowed: one commit to the journal, with the operation and its answer in it.

use policy::{Admitted, Denied, Rights};
use rules::planted::{self, Fault};
use serde_json::Value;
use store::StoreError;
use tool::{Failure, Planned};
use types::{
    AuditDraft, Code, Commit, Conflict, Domain, OperationDraft, Outcome, Position, Problem,
};

use crate::judge::{Judged, judge_call};
use crate::standing::Standing;
use crate::steps::EFFECT;
use crate::work::Work;
use crate::{Error, Executor};

/// How often a plan is made anew because what it rests on has moved: by a person, or by another call of
/// the same answer that changed the same record.
const PLANS: u32 = 4;

/// What came of carrying something out.
pub(crate) enum Carried {
    /// It is done.
    Done {
        /// The tool's answer.
        payload: Value,
        /// The change it made, if it made one.
        position: Option<Position>,
        /// It had been done before.
        again: bool,
    },
    /// It could not be done, and was not.
    Failed(Failure),
    /// By now it may not be done, and was not.
    Denied(Denied),
    /// Whether it was done is not known.
    Unknown(Failure),
}

impl Executor {
    /// Carries a plan out. If something it rests on has moved, it is made and judged anew, under the
    /// same name.
    pub(crate) async fn carry_out(
        &self,
        work: &Work,
        standing: &Standing,
        rights: &Rights,
        allowed: (Admitted, Planned),
    ) -> Result<Carried, Error> {
        let (mut admitted, mut planned) = allowed;
        if planted::is(Fault::ResultWithoutEffect) {
            return Ok(Carried::Done { payload: planned.answer, position: None, again: false });
        }
        let mut moved = None;
        for _ in 0..PLANS {
            let commit = effect(work, &admitted, &planned, self.world.now());
            match self.store.commit(commit).await {
                Ok(Outcome::Applied(applied)) => {
                    let position = applied.change.map(|(position, _, _)| position);
                    return Ok(Carried::Done { payload: planned.answer, position, again: false });
                }
                Ok(Outcome::Idempotent(recorded)) => {
                    let known = self.store.operation(Domain::Journal, recorded.operation).await?;
                    let position = known.and_then(|operation| operation.position);
                    return Ok(Carried::Done { payload: recorded.result, position, again: true });
                }
                Ok(Outcome::Conflict(conflict)) => moved = Some(conflict),
                Err(error) => return Ok(not_written(error)),
            }
            let fences = self.fences(&work.call.agent).await?;
            match judge_call(&*self.store, work, standing, &fences, rights).await {
                Judged::Change(again, plan) => (admitted, planned) = (again, plan),
                Judged::Denied(denied) => return Ok(Carried::Denied(denied)),
                Judged::Answered(_, Err(failure)) => return Ok(Carried::Failed(failure)),
                Judged::Answered(_, Ok(planned)) => {
                    // It is as it should be by now, and nothing is left to do.
                    let payload = planned.answer;
                    return Ok(Carried::Done { payload, position: None, again: false });
                }
                Judged::Recorded => unreachable!("what was done before was not to be carried out"),
                Judged::Own(..) => unreachable!("a contract names one file"),
            }
        }
        Ok(Carried::Failed(too_busy(&moved.expect("a plan that was not written had moved"))))
    }
}

/// The commit that does it. It cannot be made without having passed the gate.
fn effect(work: &Work, admitted: &Admitted, planned: &Planned, at: types::At) -> Commit {
    let entry = work.entry.as_ref().expect("what was admitted has a tool");
    let id = admitted.operation().expect("what changes something has a name");
    let verb = entry.contract().name;
    let audit = AuditDraft {
        action: "tool.effect",
        subject: planned.subject.to_string(),
        detail: format!("{verb}:{}", work.invocation),
    };
    Commit {
        guards: planned.guards.iter().cloned().chain(work.not_stopped()).collect(),
        operation: Some(OperationDraft {
            id,
            verb,
            subject: planned.subject.clone(),
            run_key: Some(work.call.run),
            result: planned.answer.clone(),
        }),
        audit: vec![audit],
        ..Commit::new(Domain::Journal, work.author(), at, planned.writes.clone()).named(EFFECT)
    }
}

/// Only a disk that failed, or a store that went away, leaves open whether it was done.
fn not_written(error: StoreError) -> Carried {
    let doubtful = matches!(error, StoreError::Io { .. } | StoreError::Closed);
    let failure: Failure = Problem::from(error).into();
    if !doubtful {
        return Carried::Failed(failure);
    }
    let message = format!("whether it was done is not known: {}", failure.message);
    let hint = "look at what it was to change before anything else is tried";
    Carried::Unknown(Failure { retryable: false, ..Failure::of(failure.kind, message, hint) })
}

fn too_busy(conflict: &Conflict) -> Failure {
    let message = format!("what it was to change kept changing: {conflict}");
    let failure = Failure::of(Code::Conflict, message, "look at it again, then decide again");
    Failure { retryable: true, ..failure }
}
