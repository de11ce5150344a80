//! Writing down what is about to be done, before it is: one commit for all calls of a group. What has
//! its answer already, a denial above all, is written down with it in the same commit; and so is all
//! that an agent wants among its own records, which needs no other.

use std::collections::BTreeSet;

use policy::{Denied, Rights};
use rules::planted::{self, Fault};
use serde_json::{Value, json};
use tool::{Failure, Planned};
use types::{
    AuditDraft, Author, ChangedRecord, Compliance, Conflict, Guard, InvocationState, Outcome,
    RecordDraft, RecordId, VectorClock, Write,
};

use crate::executor::Case;
use crate::in_time::is_given_up;
use crate::judge::{Judged, told};
use crate::steps::{DENY, INTEND};
use crate::work::Work;
use crate::{Error, Executor, Left, Open, Receipt, Rider, Success};

/// Whether it was written down.
pub(crate) enum Intended {
    /// It was, or there was nothing to write.
    Written,
    /// Something stood in the way that was not there when the calls were judged.
    Moved(Conflict),
}

impl Executor {
    /// Writes down what is about to be done, with what rides along.
    pub(crate) async fn intend(
        &self,
        author: Author,
        cases: &[Case],
        rights: &Rights,
        rider: &Rider,
    ) -> Result<Intended, Error> {
        let said = Left::from(rider.clone()).and(to_say(cases, rights));
        if said.is_empty() || planted::is(Fault::EffectBeforeIntent) {
            return Ok(Intended::Written);
        }
        let commit = said.into_commit(author, self.world.now()).named(step(cases));
        match self.store.commit(commit).await? {
            Outcome::Conflict(conflict) => Ok(Intended::Moved(conflict)),
            Outcome::Applied(_) | Outcome::Idempotent(_) => Ok(Intended::Written),
        }
    }
}

/// What is to be written down of calls before any of them changes the journal.
pub(crate) fn to_say(cases: &[Case], rights: &Rights) -> Left {
    let mut said = Left::default();
    for case in cases {
        add(&mut said, case, rights);
    }
    said
}

fn step(cases: &[Case]) -> &'static str {
    let changes = cases.iter().any(|case| matches!(case.judged, Judged::Change(..)));
    if changes { INTEND } else { DENY }
}

fn add(said: &mut Left, case: &Case, rights: &Rights) {
    let Case { work, standing, judged } = case;
    let place = match judged {
        Judged::Recorded => return,
        // It stands there in these words already, and so does its entry.
        Judged::Denied(denied) if was_denied_so(case, denied) => return,
        Judged::Denied(denied) => {
            said.audit.push(audit_of_denial(work, denied));
            let Some(place) = standing.place_for_denial(work, denied) else { return };
            place
        }
        Judged::Answered(admitted, _)
        | Judged::Change(admitted, _)
        | Judged::Waits(admitted)
        | Judged::Own(admitted, _) => {
            if !standing.was_allowed() {
                said.audit.push(audit(work, "tool.allow", admitted.rule()));
            }
            standing.revision()
        }
    };
    said.writes.push(work.keep_arguments());
    match judged {
        Judged::Recorded => {}
        Judged::Denied(denied) => said.denied(work, &denial(work, denied), denied.rule),
        Judged::Answered(_, planned) => {
            if let Err(failure) = planned {
                said.audit.push(audit(work, "tool.failed", failure.kind.as_str()));
            }
            said.answered(work, &answer(work, planned));
        }
        Judged::Change(..) | Judged::Waits(_) => said.state(work, InvocationState::Intended),
        Judged::Own(_, planned) => {
            said.guards.extend(planned.guards.iter().cloned().chain(work.not_stopped()));
            said.writes.extend(planned.writes.clone());
            said.done(work, &written(work, planned), Compliance::Compliant);
        }
    }
    let record = (&work.invocation).into();
    said.guards.push(Guard::Revision { record, expected: place });
    if judged.takes(work) {
        count(said, work, rights);
    }
}

/// Whether the record of a call says already that it was denied, by this rule and in these words.
fn was_denied_so(Case { work, standing, .. }: &Case, denied: &Denied) -> bool {
    let Some((_, record)) = &standing.record else { return false };
    match &record.state {
        InvocationState::Denied { rule, error, .. } => {
            work.is_recorded_as(record)
                && rule == denied.rule
                && *error == denial(work, denied).error()
        }
        _ => false,
    }
}

/// Counts a call whose tool has a quota, on the condition that all that are counted are within it.
fn count(said: &mut Left, work: &Work, rights: &Rights) {
    let Some(quota) = rights.quotas.get(&work.tool).copied() else { return };
    let (agent, thread) = (work.call.agent.clone(), work.call.thread.clone());
    let (tool, call) = (work.tool.clone(), work.invocation.clone());
    let guard = Guard::ToolQuota {
        agent: agent.clone(),
        thread: thread.clone(),
        tool: tool.clone(),
        quota,
    };
    if !said.guards.contains(&guard) {
        said.guards.push(guard);
    }
    said.writes.push(Write::CountTool { agent, thread, tool, call });
}

/// The answer to a call that changes nothing.
pub(crate) fn answer(work: &Work, planned: &Result<Planned, Failure>) -> Receipt {
    if planted::is(Fault::GivenUpAsDone) && planned.as_ref().is_err_and(is_given_up) {
        return work.receipt(Ok(Success::default()));
    }
    let result = planned.as_ref().map(|planned| Success {
        payload: if work.call.preview { shown(planned) } else { planned.answer.clone() },
        ..Success::default()
    });
    work.receipt(result.map_err(Failure::clone))
}

/// The answer to a call that writes among the agents. What its records have seen is not known before
/// they are written, and this is written with them.
pub(crate) fn written(work: &Work, planned: &Planned) -> Receipt {
    let records = drafts(planned).into_iter().cloned();
    let changed = records.map(|id| ChangedRecord { id, clock: VectorClock::default() }).collect();
    let payload = planned.answer.clone();
    work.receipt(Ok(Success { changed, payload, ..Success::default() }))
}

/// The answer to a call that was denied.
pub(crate) fn denial(work: &Work, denied: &Denied) -> Receipt {
    let open = denied.is_stop().then_some(Open::Stopped);
    Receipt { open, ..work.receipt(Err(told(&denied.denial))) }
}

/// What a preview shows: which records would be written, and what the answer would be.
fn shown(planned: &Planned) -> Value {
    json!({ "would_change": drafts(planned), "would_answer": planned.answer })
}

/// The records that a plan would write.
fn drafts(planned: &Planned) -> BTreeSet<&RecordId> {
    let drafts = planned.writes.iter().filter_map(|write| match write {
        Write::Record(RecordDraft { id, .. }) => Some(id),
        _ => None,
    });
    drafts.collect()
}

/// An audit entry about a call.
pub(crate) fn audit(work: &Work, action: &'static str, why: &str) -> AuditDraft {
    let (subject, detail) = (work.invocation.to_string(), format!("{why}:{}", work.tool));
    AuditDraft { action, subject, detail }
}

/// The audit entry of a denial: the code and the tool.
pub(crate) fn audit_of_denial(work: &Work, denied: &Denied) -> AuditDraft {
    audit(work, "tool.deny", denied.denial.code.as_str())
}
