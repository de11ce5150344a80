//! Carrying out what was allowed: one commit to the journal, with the operation and its answer in it.

use policy::{Admitted, Denied, Rights};
use rules::planted::{self, Fault};
use rules::reserve::Reservation;
use serde_json::Value;
use store::StoreError;
use tool::{Failure, Planned};
use types::{
    AuditDraft, Code, Commit, Conflict, Domain, OperationDraft, Outcome, Position, Problem, Wrote,
};

use crate::judge::Judged;
use crate::standing::Standing;
use crate::steps::EFFECT;
use crate::work::Work;
use crate::{Error, Executor};

/// What came of carrying something out.
pub(crate) enum Carried {
    /// It is done.
    Done {
        /// The tool's answer.
        payload: Value,
        /// The change it made, if it made one.
        position: Option<Position>,
        /// What that wrote, if whoever wrote it has said so.
        wrote: Option<Wrote>,
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

impl Carried {
    /// It is done, and changed nothing.
    fn unchanged(payload: Value) -> Carried {
        Carried::Done { payload, position: None, wrote: None, again: false }
    }
}

/// Something that was allowed, on its way.
pub(crate) struct Deed {
    pub(crate) allowed: (Admitted, Planned),
    /// How often it may still be tried.
    pub(crate) tries: u32,
}

/// What came of trying.
pub(crate) enum Tried {
    /// It is over.
    Carried(Carried),
    /// Something that it rests on has moved: it was planned and judged anew, under the same name.
    Moved(Deed),
}

impl Deed {
    /// What was allowed for a call, to be tried as often as its tool says.
    pub(crate) fn new(work: &Work, allowed: (Admitted, Planned)) -> Deed {
        Deed { allowed, tries: work.tries() }
    }

    /// What it touches.
    pub(crate) fn touches(&self, work: &Work) -> Reservation {
        let (_, planned) = &self.allowed;
        let alone = work.manner().alone;
        let touched = Reservation::of_plan(&planned.guards, &planned.writes);
        Reservation { alone: alone || touched.alone, ..touched }
    }
}

impl Executor {
    /// Carries a plan out. If something it rests on has moved, it is made and judged anew; if that is
    /// known beforehand, it is not tried as it was.
    pub(crate) async fn carry_out(
        &self,
        work: &Work,
        standing: &Standing,
        rights: &Rights,
        deed: Deed,
        moved: bool,
    ) -> Result<Tried, Error> {
        let Deed { allowed: (admitted, planned), tries } = deed;
        if planted::is(Fault::ResultWithoutEffect) {
            return Ok(Tried::Carried(Carried::unchanged(planned.answer)));
        }
        if moved {
            return self.plan_anew(work, standing, rights, tries).await;
        }
        let commit = effect(work, &admitted, &planned, self.world.now());
        let carried = match self.store.commit(commit).await {
            Ok(Outcome::Applied(applied)) => {
                let position = applied.change.map(|(position, _, _)| position);
                let (payload, wrote) = (planned.answer, applied.wrote);
                Carried::Done { payload, position, wrote, again: false }
            }
            Ok(Outcome::Idempotent(recorded)) => {
                let known = self.store.operation(Domain::Journal, recorded.operation).await?;
                let position = known.and_then(|operation| operation.position);
                let (payload, wrote) = (recorded.result, None);
                Carried::Done { payload, position, wrote, again: true }
            }
            Ok(Outcome::Conflict(conflict)) => {
                let tried = self.plan_anew(work, standing, rights, tries - 1).await?;
                match tried {
                    Tried::Moved(Deed { tries: 0, .. }) => Carried::Failed(too_busy(&conflict)),
                    tried => return Ok(tried),
                }
            }
            Err(error) => not_written(error),
        };
        Ok(Tried::Carried(carried))
    }

    /// Plans and judges a call anew, under the same name.
    pub(crate) async fn plan_anew(
        &self,
        work: &Work,
        standing: &Standing,
        rights: &Rights,
        tries: u32,
    ) -> Result<Tried, Error> {
        let fences = self.fences(&work.call.agent).await?;
        let carried = match self.judge_call(work, standing, &fences, rights, None).await {
            Judged::Change(admitted, planned) => {
                return Ok(Tried::Moved(Deed { allowed: (admitted, planned), tries }));
            }
            Judged::Denied(denied) => Carried::Denied(denied),
            Judged::Answered(_, Err(failure)) => Carried::Failed(failure),
            Judged::Answered(_, Ok(planned)) => {
                // It is as it should be by now, and nothing is left to do.
                Carried::unchanged(planned.answer)
            }
            Judged::Recorded => unreachable!("what was done before was not to be carried out"),
            Judged::Own(..) => unreachable!("a contract names one file"),
            Judged::Waits(_) => unreachable!("only beside others there is something to wait for"),
        };
        Ok(Tried::Carried(carried))
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
        read: Some(work.writes_from(planned)),
        ..Commit::new(Domain::Journal, work.call.author(), at, planned.writes.clone()).named(EFFECT)
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
